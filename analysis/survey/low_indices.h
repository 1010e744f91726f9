// LowIndices: indices that begin at a difference of which nobody looks at the lower side.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

/// Adds those of the function, which has a body: signed ones into arrays that it compares with their end, and
/// sizes of copies that are the difference of two lengths of which nothing compares one.
void addLowIndices(const clang::ASTContext& context, const clang::FunctionDecl& function, Survey& survey);

}  // namespace heddle
