// GCC's __atomic functions on objects that are declared _Atomic.
//
// GCC takes them, and its <stdatomic.h> is written so: every file that it has preprocessed calls them with
// pointers to _Atomic types, which Clang refuses. Macros of the same names take the qualifier off the
// pointer.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <vector>

namespace heddle {

/// Makes `arguments` for Clang (cc1) and `text`, the main file's, of the same length, fit each other where
/// the text may need it; leaves both alone elsewhere.
void acceptGccAtomics(std::string& text, std::vector<std::string>& arguments);

}  // namespace heddle
