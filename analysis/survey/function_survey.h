// Function survey: what the body of one function does: calls, threads, locks, accesses.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/survey.h"
#include "analysis/survey/type_survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

/// `out` must have the function's parameters. Parameters declared as `void *` get the type that the body
/// uses them as.
void surveyBody(clang::ASTContext& context, const clang::FunctionDecl& function, TypeSurvey& types,
                SurveyFunction& out);

}  // namespace heddle
