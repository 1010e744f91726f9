#include "protocol/inlay_hint.h"

#include "protocol/field.h"

namespace heddle::lsp {

HEDDLE_LSP_FIELDS(InlayHintParams, textDocument, range)
HEDDLE_LSP_FIELDS(InlayHintLabelPart, value, tooltip, location)
HEDDLE_LSP_FIELDS(InlayHint, position, label, tooltip, paddingLeft)

}  // namespace heddle::lsp
