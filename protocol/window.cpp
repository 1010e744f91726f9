#include "protocol/window.h"

#include "protocol/field.h"

namespace heddle::lsp {

HEDDLE_LSP_INT_ENUM(MessageType, Error, Log)
HEDDLE_LSP_FIELDS(ShowMessageParams, type, message)
HEDDLE_LSP_FIELDS(LogMessageParams, type, message)
HEDDLE_LSP_FIELDS(MessageActionItem, title)
HEDDLE_LSP_FIELDS(ShowMessageRequestParams, type, message, actions)
HEDDLE_LSP_FIELDS(ShowDocumentParams, uri, external, takeFocus, selection)
HEDDLE_LSP_FIELDS(ShowDocumentResult, success)

}  // namespace heddle::lsp
