#include "protocol/text_sync.h"

#include "protocol/field.h"

namespace heddle::lsp {

HEDDLE_LSP_FIELDS(DidOpenTextDocumentParams, textDocument)
HEDDLE_LSP_FIELDS(TextDocumentContentChangeEvent, range, rangeLength, text)
HEDDLE_LSP_FIELDS(DidChangeTextDocumentParams, textDocument, contentChanges)
HEDDLE_LSP_FIELDS(DidSaveTextDocumentParams, textDocument, text)
HEDDLE_LSP_FIELDS(DidCloseTextDocumentParams, textDocument)

}  // namespace heddle::lsp
