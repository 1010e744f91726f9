#include "protocol/document_highlight.h"

#include "protocol/field.h"

namespace heddle::lsp {

HEDDLE_LSP_FIELDS(DocumentHighlightParams, textDocument, position)
HEDDLE_LSP_FIELDS(DocumentHighlight, range, kind)

}  // namespace heddle::lsp
