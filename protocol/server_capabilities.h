// What the server announces in InitializeResult. Plain data; only what Heddle offers or will offer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "protocol/client_capabilities.h"
#include "protocol/json.h"

namespace heddle::lsp {

enum class TextDocumentSyncKind : uint8_t { None = 0, Full = 1, Incremental = 2 };
void to_json(json& value, TextDocumentSyncKind in);
void from_json(const json& value, TextDocumentSyncKind& out);

struct SaveOptions {
  std::optional<bool> includeText;
  bool operator==(const SaveOptions&) const = default;
};
void to_json(json& value, const SaveOptions& in);
void from_json(const json& value, SaveOptions& out);

struct TextDocumentSyncOptions {
  std::optional<bool> openClose;
  std::optional<TextDocumentSyncKind> change;
  std::optional<SaveOptions> save;
  bool operator==(const TextDocumentSyncOptions&) const = default;
};
void to_json(json& value, const TextDocumentSyncOptions& in);
void from_json(const json& value, TextDocumentSyncOptions& out);

struct CodeActionOptions {
  std::optional<std::vector<std::string>> codeActionKinds;
  std::optional<bool> resolveProvider;
  bool operator==(const CodeActionOptions&) const = default;
};
void to_json(json& value, const CodeActionOptions& in);
void from_json(const json& value, CodeActionOptions& out);

struct CodeLensOptions {
  std::optional<bool> resolveProvider;
  bool operator==(const CodeLensOptions&) const = default;
};
void to_json(json& value, const CodeLensOptions& in);
void from_json(const json& value, CodeLensOptions& out);

struct ExecuteCommandOptions {
  std::vector<std::string> commands;
  bool operator==(const ExecuteCommandOptions&) const = default;
};
void to_json(json& value, const ExecuteCommandOptions& in);
void from_json(const json& value, ExecuteCommandOptions& out);

struct DiagnosticOptions {
  std::optional<std::string> identifier;
  bool interFileDependencies = true;
  bool workspaceDiagnostics = false;
  bool operator==(const DiagnosticOptions&) const = default;
};
void to_json(json& value, const DiagnosticOptions& in);
void from_json(const json& value, DiagnosticOptions& out);

struct WorkspaceFoldersServerCapabilities {
  std::optional<bool> supported;
  std::optional<bool> changeNotifications;
  bool operator==(const WorkspaceFoldersServerCapabilities&) const = default;
};
void to_json(json& value, const WorkspaceFoldersServerCapabilities& in);
void from_json(const json& value, WorkspaceFoldersServerCapabilities& out);

struct WorkspaceServerCapabilities {
  std::optional<WorkspaceFoldersServerCapabilities> workspaceFolders;
  bool operator==(const WorkspaceServerCapabilities&) const = default;
};
void to_json(json& value, const WorkspaceServerCapabilities& in);
void from_json(const json& value, WorkspaceServerCapabilities& out);

struct ServerCapabilities {
  std::optional<PositionEncodingKind> positionEncoding;
  std::optional<TextDocumentSyncOptions> textDocumentSync;
  std::optional<bool> hoverProvider;
  std::optional<CodeActionOptions> codeActionProvider;
  std::optional<CodeLensOptions> codeLensProvider;
  std::optional<ExecuteCommandOptions> executeCommandProvider;
  std::optional<DiagnosticOptions> diagnosticProvider;
  std::optional<WorkspaceServerCapabilities> workspace;
  json experimental;  // null: absent
  /// Capabilities without options, by the member that announces each, such as "inlayHintProvider".
  std::map<std::string, bool> views;
  bool operator==(const ServerCapabilities&) const = default;
};
void to_json(json& value, const ServerCapabilities& in);
void from_json(const json& value, ServerCapabilities& out);

}  // namespace heddle::lsp
