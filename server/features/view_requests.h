// Requests that are answered from what is known of one open file, at once: a table. A new one is a function
// and a row in view_requests.cpp; binding, capability, and the answer about a file that is not open go by its
// row.
//
// Threading: main loop.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "protocol/handler_table.h"
#include "protocol/server_capabilities.h"
#include "server/features/file_view.h"

namespace heddle {

/// None: the file is not open.
using FileViewOf = std::function<std::optional<FileView>(const lsp::DocumentUri&)>;

void announceViewRequests(lsp::ServerCapabilities& capabilities);
/// `viewOf` is called for each request.
void bindViewRequests(lsp::HandlerTable& bind, const FileViewOf& viewOf);

}  // namespace heddle
