#include "protocol/code_action.h"

#include <algorithm>

#include "protocol/field.h"

namespace heddle::lsp {

HEDDLE_LSP_INT_ENUM(CodeActionTriggerKind, Invoked, Automatic)
HEDDLE_LSP_FIELDS(CodeActionContext, diagnostics, only, triggerKind)
HEDDLE_LSP_FIELDS(CodeActionParams, textDocument, range, context, workDoneToken)
HEDDLE_LSP_FIELDS(CodeActionDisabled, reason)
HEDDLE_LSP_FIELDS(CodeAction, title, kind, diagnostics, isPreferred, disabled, edit, command, data)

bool wantsKind(const CodeActionContext& context, std::string_view kind) {
  if (!context.only) return true;
  return std::any_of(context.only->begin(), context.only->end(), [&](const std::string& asked) {
    return asked.empty() || kind == asked || kind.starts_with(asked + ".");
  });
}

}  // namespace heddle::lsp
