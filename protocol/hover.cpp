#include "protocol/hover.h"

#include "protocol/field.h"

namespace heddle::lsp {

HEDDLE_LSP_FIELDS(HoverParams, textDocument, position, workDoneToken)
HEDDLE_LSP_FIELDS(Hover, contents, range)

}  // namespace heddle::lsp
