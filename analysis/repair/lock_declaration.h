// LockDeclaration: declares a new mutex (or condition variable, or flag) at a place that all its users see.
//
// The place is beside the variable that it guards, if that is declared in one of the user's files;
// otherwise it is before the first function that uses it. A variable that a header declares `extern` gets
// its mutex in the same way. <pthread.h> is included if it is missing.
//
// Threading: as the syntax tree.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/repair/text_edits.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

/// Which files can name a new global: this file alone (Internal), or all files of the program, of which one
/// defines it (Defined) and the others declare it (Declared).
enum class Linkage : uint8_t { Internal, Defined, Declared };

struct NewGlobal {
  std::string type;         // "pthread_mutex_t"
  std::string name;         // "balance_mutex"
  std::string initializer;  // "PTHREAD_MUTEX_INITIALIZER"
};

/// The file-scope variable of that name; null if there is none.
const clang::VarDecl* globalNamed(const std::string& name, clang::ASTContext& context);

/// The functions with bodies, in the order of the text.
std::vector<const clang::FunctionDecl*> definedFunctions(const clang::ASTContext& context);

/// `beside`: may be null. `users`: the functions that will name the globals, at least one. Returns an empty
/// text, or why there is no place for them.
std::string declareGlobals(const std::vector<NewGlobal>& globals, const clang::VarDecl* beside,
                           const std::vector<const clang::FunctionDecl*>& users, Linkage linkage,
                           clang::ASTContext& context, TextEdits& edits);

}  // namespace heddle
