#include "protocol/server_capabilities.h"

#include "protocol/field.h"

namespace heddle::lsp {

HEDDLE_LSP_INT_ENUM(TextDocumentSyncKind, None, Incremental)
HEDDLE_LSP_FIELDS(SaveOptions, includeText)
HEDDLE_LSP_FIELDS(TextDocumentSyncOptions, openClose, change, save)
HEDDLE_LSP_FIELDS(CodeActionOptions, codeActionKinds, resolveProvider)
HEDDLE_LSP_FIELDS(CodeLensOptions, resolveProvider)
HEDDLE_LSP_FIELDS(ExecuteCommandOptions, commands)
HEDDLE_LSP_FIELDS(DiagnosticOptions, identifier, interFileDependencies, workspaceDiagnostics)
HEDDLE_LSP_FIELDS(WorkspaceFoldersServerCapabilities, supported, changeNotifications)
HEDDLE_LSP_FIELDS(WorkspaceServerCapabilities, workspaceFolders)
#define HEDDLE_CAPABILITIES(do)                                                                          \
  NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(do, positionEncoding, textDocumentSync, hoverProvider,        \
                                           codeActionProvider, codeLensProvider, executeCommandProvider, \
                                           diagnosticProvider, workspace, experimental))

void to_json(json& value, const ServerCapabilities& in) {
  value = writeValue(in.views);
  HEDDLE_CAPABILITIES(HEDDLE_LSP_WRITE)
}

void from_json(const json& value, ServerCapabilities& out) {
  requireObject(value);
  HEDDLE_CAPABILITIES(HEDDLE_LSP_READ)
  out.views.clear();
  const json own = out;  // without the views, which are the other members that are true or false
  for (auto it = value.begin(); value.is_object() && it != value.end(); ++it)
    if (it->is_boolean() && !own.contains(it.key())) out.views[it.key()] = it->get<bool>();
}

}  // namespace heddle::lsp
