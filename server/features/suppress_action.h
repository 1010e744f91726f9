// "Suppress": a code action that puts an ignore comment above a finding. The reason is left to the user;
// until there is one, the comment does nothing and says so.
//
// Threading: pure functions.
#pragma once

#include <vector>

#include "protocol/code_action.h"
#include "server/state/document_store.h"
#include "server/state/file_session.h"

namespace heddle {

/// For the findings that touch the range, unless they are suppressed already or of an older text.
std::vector<lsp::CodeAction> suppressActionsAt(const FileSession& session, const Document& document,
                                               const lsp::CodeActionParams& params,
                                               const DiagnosticStyle& style, bool documentChanges);

}  // namespace heddle
