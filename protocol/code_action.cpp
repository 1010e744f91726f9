#include "protocol/code_action.h"

#include "protocol/field.h"

namespace heddle::lsp {

HEDDLE_LSP_INT_ENUM(CodeActionTriggerKind, Invoked, Automatic)
HEDDLE_LSP_FIELDS(CodeActionContext, diagnostics, only, triggerKind)
HEDDLE_LSP_FIELDS(CodeActionParams, textDocument, range, context, workDoneToken)
HEDDLE_LSP_FIELDS(CodeActionDisabled, reason)
HEDDLE_LSP_FIELDS(CodeAction, title, kind, diagnostics, isPreferred, disabled, edit, command, data)

}  // namespace heddle::lsp
