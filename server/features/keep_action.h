// "Keep": code actions that write into the file what a run has assumed by itself, so that the user can change
// it: the generated harness as a comment, and definitions for functions that are not known, which only Heddle
// sees (__HEDDLE__); and which lock guards what, as thread-safety attributes.
//
// Threading: pure functions.
#pragma once

#include <vector>

#include "protocol/code_action.h"
#include "server/state/document_store.h"
#include "server/state/file_session.h"

namespace heddle {

/// The actions for what the last run assumed, if the range touches the harness' first function, a call of an
/// unknown one, or data that a lock guards in all executions. `entry`: the function in which the file would
/// begin.
std::vector<lsp::CodeAction> keepActionsAt(FileSession& session, const Document& document,
                                           const lsp::CodeActionParams& params, const std::string& entry,
                                           PositionEncoding encoding, bool documentChanges);

}  // namespace heddle
