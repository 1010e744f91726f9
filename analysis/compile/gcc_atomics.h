// GCC's __atomic functions on objects that are declared _Atomic.
//
// GCC accepts them, and its <stdatomic.h> relies on that: every file that GCC has preprocessed calls them
// with pointers to _Atomic types, which Clang refuses. Macros of the same names take the qualifier off the
// pointer.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <vector>

namespace heddle {

/// Changes `arguments` for Clang (cc1) and `text`, that of the main file, so that Clang accepts such calls.
/// The text keeps its length. Leaves both alone if the text cannot need it.
void acceptGccAtomics(std::string& text, std::vector<std::string>& arguments);

}  // namespace heddle
