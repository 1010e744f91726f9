// What the body of one function does: calls, threads, locks, accesses.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

void surveyBody(clang::ASTContext& context, const clang::FunctionDecl& function, SurveyFunction& out);

}  // namespace heddle
