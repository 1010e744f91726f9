// AppendBounds: calls of strncat whose bound is the size of the whole buffer, which holds a text already: the
// bound is for what is appended (C11 7.24.3.2), so the end of the buffer may be passed.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

/// `function` has a body.
void addAppendBounds(const clang::ASTContext& context, const clang::FunctionDecl& function, Survey& survey);

}  // namespace heddle
