// textDocument/documentHighlight. Plain data.
#pragma once

#include <optional>

#include "protocol/base.h"

namespace heddle::lsp {

struct DocumentHighlightParams {
  TextDocumentIdentifier textDocument;
  Position position;
  bool operator==(const DocumentHighlightParams&) const = default;
};
void to_json(json& value, const DocumentHighlightParams& in);
void from_json(const json& value, DocumentHighlightParams& out);

enum class DocumentHighlightKind { Text = 1, Read = 2, Write = 3 };

struct DocumentHighlight {
  Range range;
  std::optional<DocumentHighlightKind> kind;
  bool operator==(const DocumentHighlight&) const = default;
};
void to_json(json& value, const DocumentHighlight& in);
void from_json(const json& value, DocumentHighlight& out);

}  // namespace heddle::lsp
