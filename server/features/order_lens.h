// Memory orders that can be weaker, in an editor: when the user can ask for them, and the edit that writes
// them.
//
// Threading: pure functions.
#pragma once

#include "protocol/workspace.h"
#include "server/convert/position_map.h"
#include "server/state/document_store.h"
#include "server/state/file_session.h"

namespace heddle {

/// Whether the text is verified as it stands and names orders that make a difference, and no weaker ones were
/// found yet.
bool ordersCanBeAsked(const FileSession& session, const Document& document);

/// `orders`: of the document as it is.
lsp::ApplyWorkspaceEditParams editOfOrders(const FoundOrders& orders, const Document& document,
                                           PositionEncoding encoding, bool documentChanges);

}  // namespace heddle
