// ComparedValues: which constants and texts a function compares its own parameters with. Callers that pass
// one of these take another way than those that pass any small number, or any short text.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

/// Fills in SurveyType::compared of the parameters, which `out` has.
void addComparedValues(clang::ASTContext& context, const clang::FunctionDecl& function, SurveyFunction& out);

}  // namespace heddle
