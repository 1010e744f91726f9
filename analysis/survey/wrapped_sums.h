// WrappedSums: sizes of allocations that are a sum of 32 bits, one part of which was read from outside and is
// compared with nothing: the largest value makes a size of 0, and what is read into it is written behind it
// (CWE-190 before CWE-122).
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

/// `function` has a body.
void addWrappedSums(const clang::ASTContext& context, const clang::FunctionDecl& function, Survey& survey);

}  // namespace heddle
