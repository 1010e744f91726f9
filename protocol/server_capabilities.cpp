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
HEDDLE_LSP_FIELDS(ServerCapabilities, positionEncoding, textDocumentSync, hoverProvider, codeActionProvider,
                  codeLensProvider, inlayHintProvider, documentHighlightProvider, executeCommandProvider,
                  diagnosticProvider, workspace, experimental)

}  // namespace heddle::lsp
