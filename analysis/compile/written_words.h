// WrittenWords: the words of the file's functions that say where they go on, what they call and what they
// change, as the parser read them. Clang drops statements that it cannot make sense of, some without an
// error; a word that its tree does not have shows it.
//
// Threading: on the guarded thread of one run of Clang.
#pragma once

#include <cstdint>
#include <vector>

#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/SourceLocation.h"

namespace clang {
class Preprocessor;
}

namespace heddle {

struct WrittenWord {
  enum class Kind : uint8_t {
    Jump,      // return, goto, if, while, case, …
    Called,    // a name in front of '('
    Assigned,  // a variable in front of '=', '+=', …, or beside '++' or '--'
    Alone      // a name that is a whole statement
  };
  Kind kind = Kind::Jump;
  clang::SourceLocation place;                  // as that of nodes of the tree, in macros, too
  const clang::IdentifierInfo* name = nullptr;  // none for jumps
};

using WrittenWords = std::vector<WrittenWord>;  // in the order of the text

/// From now on `words` gets those that stand in the main file, or in a macro that is used there. It must
/// outlive the run.
void keepWords(clang::Preprocessor& preprocessor, WrittenWords& words);

}  // namespace heddle
