// Reference counts: functions that give a reference back, and take the object down with the last one; and
// functions that may take a reference.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/survey.h"
#include "clang/AST/Decl.h"

namespace heddle {

/// Sets SurveyFunction::givesReference, lowers and raises. `function` has a body.
void surveyCounts(const clang::FunctionDecl& function, SurveyFunction& out);

}  // namespace heddle
