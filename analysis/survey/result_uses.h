// ResultUses: what a function does with results that others may not look at: memory that it keeps, errno, and
// texts that a library keeps for all callers.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

namespace heddle {

/// Adds to `allocated` and `errnoSetters` of the survey, and to the shared results of the function.
void addResultUses(clang::ASTContext& context, const clang::Stmt& body, SurveyFunction& function,
                   Survey& survey);

}  // namespace heddle
