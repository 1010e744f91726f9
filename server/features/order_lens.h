// Memory orders that can be weaker, in an editor: when it can be asked, and the edit that writes them.
//
// Threading: pure functions.
#pragma once

#include "protocol/workspace.h"
#include "server/convert/position_map.h"
#include "server/state/document_store.h"
#include "server/state/file_session.h"

namespace heddle {

/// The text is verified as it stands, names orders, and they make a difference; nothing was found yet.
bool ordersCanBeAsked(const FileSession& session, const Document& document);

/// `orders`: of the document as it is.
lsp::ApplyWorkspaceEditParams editOfOrders(const FoundOrders& orders, const Document& document,
                                           PositionEncoding encoding, bool documentChanges);

}  // namespace heddle
