// SignalHandlers: functions that a file hands to `signal` or puts into a `struct sigaction`, and what of the
// file's functions matters to signals.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <set>
#include <string>

#include "analysis/survey/function_flows.h"
#include "analysis/survey/survey.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace heddle {

/// Adds the names of those that the statement, or the initial value, hands over.
void addSignalHandlers(const clang::Stmt& text, std::set<std::string>& handlers);

/// Sets of signals that the function blocks, and that have none: `emptyMasks` of the survey.
void addSignalUses(const clang::FunctionDecl& function, Survey& survey);

/// Sets SurveyCall::endsProcess. `function` has a body, and its calls are known.
void addEndedCalls(FunctionFlows& flows, const clang::FunctionDecl& function, SurveyFunction& out);

}  // namespace heddle
