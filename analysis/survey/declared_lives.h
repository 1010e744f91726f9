// DeclaredLives: functions of other files that set up or take down objects of a file, which it knows by
// their declarations only.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/survey.h"
#include "analysis/survey/type_survey.h"
#include "clang/AST/ASTContext.h"

namespace heddle {

/// Fills in Survey::declared. `types` knows the records of the file's own functions.
void surveyDeclared(clang::ASTContext& context, TypeSurvey& types, Survey& survey);

/// Whether the file of this path belongs to the system rather than to the project. Folders that are looked in
/// last count as the system's for Clang, and hold a project's headers here.
bool isOfSystemFolder(const std::string& path);

}  // namespace heddle
