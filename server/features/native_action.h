// Code actions and words for native programs: "build a reproducer" at a finding, "find constraints to run
// this safely" for a program with findings. They are commands, so a client that knows nothing of Heddle can
// use them, and nothing is built before the user chooses one.
//
// Threading: pure functions.
#pragma once

#include <vector>

#include "protocol/code_action.h"
#include "server/state/document_store.h"
#include "server/state/file_session.h"

namespace heddle {

/// At the findings in the range. `encoding`: of the client's positions.
std::vector<lsp::CodeAction> nativeActionsAt(const FileSession& session, const Document& document,
                                             const lsp::CodeActionParams& params, PositionEncoding encoding,
                                             bool canReproduce, bool canConstrain);

/// "safe to run under 2 constraints"; empty where none are known for this text.
std::string safeRunText(const FileSession& session, const Document& document);

}  // namespace heddle
