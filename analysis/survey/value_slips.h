// ValueSlips: where the text of a function contradicts itself about a value: a pointer that is compared with
// null only behind its use, or used where it is null; an index that is compared with its bound only behind
// its use; a local variable that one side of a branch leaves without a value that is read behind it (Engler
// et al., "Bugs as deviant behavior", SOSP 2001; the last by Clang's -Wsometimes-uninitialized). Conditions
// are not evaluated, so what is told is a guess.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <vector>

#include "analysis/survey/function_flows.h"
#include "analysis/survey/survey.h"
#include "clang/AST/Decl.h"

namespace heddle {

/// Adds those of the function, which has a body, in no order, and notes whether a local variable may be read
/// without a value, which an exploration can tell.
void addValueSlips(FunctionFlows& flows, const clang::FunctionDecl& function, Survey& survey);

}  // namespace heddle
