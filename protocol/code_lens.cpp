#include "protocol/code_lens.h"

#include "protocol/field.h"

namespace heddle::lsp {

HEDDLE_LSP_FIELDS(CodeLensParams, textDocument, workDoneToken)
HEDDLE_LSP_FIELDS(CodeLens, range, command, data)

}  // namespace heddle::lsp
