#include "protocol/workspace.h"

#include "protocol/field.h"

namespace heddle::lsp {

HEDDLE_LSP_FIELDS(DidChangeConfigurationParams, settings)
HEDDLE_LSP_FIELDS(ConfigurationItem, scopeUri, section)
HEDDLE_LSP_FIELDS(ConfigurationParams, items)
HEDDLE_LSP_INT_ENUM(FileChangeType, Created, Deleted)
HEDDLE_LSP_FIELDS(FileEvent, uri, type)
HEDDLE_LSP_FIELDS(DidChangeWatchedFilesParams, changes)
HEDDLE_LSP_FIELDS(FileSystemWatcher, globPattern, kind)
HEDDLE_LSP_FIELDS(DidChangeWatchedFilesRegistrationOptions, watchers)
HEDDLE_LSP_FIELDS(Registration, id, method, registerOptions)
HEDDLE_LSP_FIELDS(RegistrationParams, registrations)
HEDDLE_LSP_FIELDS(Unregistration, id, method)
HEDDLE_LSP_FIELDS(UnregistrationParams, unregisterations)
HEDDLE_LSP_FIELDS(WorkspaceFoldersChangeEvent, added, removed)
HEDDLE_LSP_FIELDS(DidChangeWorkspaceFoldersParams, event)
HEDDLE_LSP_FIELDS(ApplyWorkspaceEditParams, label, edit)
HEDDLE_LSP_FIELDS(ApplyWorkspaceEditResult, applied, failureReason, failedChange)
HEDDLE_LSP_FIELDS(ExecuteCommandParams, command, arguments)

}  // namespace heddle::lsp
