// Code actions that look at a finding, beside those that mend it: its interleaving, and the debugger where
// the client has one. Suppressing is never the only entry.
//
// Threading: pure functions.
#pragma once

#include <vector>

#include "protocol/code_action.h"
#include "protocol/heddle_extensions.h"
#include "server/state/document_store.h"
#include "server/state/file_session.h"

namespace heddle {

/// At the findings in the range. `encoding`: of the client's positions.
std::vector<lsp::CodeAction> lookActionsAt(const FileSession& session, const Document& document,
                                           const lsp::CodeActionParams& params, PositionEncoding encoding,
                                           const lsp::HeddleClient& client);

}  // namespace heddle
