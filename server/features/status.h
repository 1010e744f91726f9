// The state of one file in words that never blur: compiling is not exploring, a spent budget is not a
// success, and a guessed compile command is named as such. For heddle/status and the code lens.
//
// Threading: pure functions.
#pragma once

#include "protocol/heddle_extensions.h"
#include "server/state/document_store.h"
#include "server/state/file_session.h"

namespace heddle {

lsp::StatusParams statusOf(const FileSession& session, const Document& document, const std::string& entry);

/// The last status to send of a file that is no longer open.
lsp::StatusParams closedStatus(const Document& document);

}  // namespace heddle
