// TakenMembers: what functions take pointers in structures for that are declared as `void *`, or as elements
// of a `void **`: the structure of the type that they convert them to.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <string>

#include "analysis/survey/survey.h"
#include "analysis/survey/type_survey.h"
#include "clang/AST/Stmt.h"

namespace heddle {

/// Adds those of the function's body to `Survey::takenAs`. Of several conversions of one member in a function
/// the first counts.
void addTakenMembers(const clang::Stmt& body, const std::string& function, TypeSurvey& types, Survey& survey);

}  // namespace heddle
