// UnendedCopies: calls of strncpy with the size of the whole buffer where nothing writes an end: a source
// that is as long leaves none (C11 7.24.2.4), and who reads the text reads on behind the buffer.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

/// `function` has a body.
void addUnendedCopies(const clang::ASTContext& context, const clang::FunctionDecl& function, Survey& survey);

}  // namespace heddle
