// Workspace: configuration, watched files, folders, applyEdit, executeCommand; client/registerCapability.
// Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base.h"

namespace heddle::lsp {

/// workspace/didChangeConfiguration
struct DidChangeConfigurationParams {
  json settings;  // null: ask with workspace/configuration
  bool operator==(const DidChangeConfigurationParams&) const = default;
};
void to_json(json& value, const DidChangeConfigurationParams& in);
void from_json(const json& value, DidChangeConfigurationParams& out);

struct ConfigurationItem {
  std::optional<DocumentUri> scopeUri;
  std::optional<std::string> section;
  bool operator==(const ConfigurationItem&) const = default;
};
void to_json(json& value, const ConfigurationItem& in);
void from_json(const json& value, ConfigurationItem& out);

/// workspace/configuration, a request to the client; the result is an array of JSON values, one per item.
struct ConfigurationParams {
  std::vector<ConfigurationItem> items;
  bool operator==(const ConfigurationParams&) const = default;
};
void to_json(json& value, const ConfigurationParams& in);
void from_json(const json& value, ConfigurationParams& out);

enum class FileChangeType : uint8_t { Created = 1, Changed = 2, Deleted = 3 };
void to_json(json& value, FileChangeType in);
void from_json(const json& value, FileChangeType& out);

struct FileEvent {
  DocumentUri uri;
  FileChangeType type = FileChangeType::Changed;
  bool operator==(const FileEvent&) const = default;
};
void to_json(json& value, const FileEvent& in);
void from_json(const json& value, FileEvent& out);

/// workspace/didChangeWatchedFiles
struct DidChangeWatchedFilesParams {
  std::vector<FileEvent> changes;
  bool operator==(const DidChangeWatchedFilesParams&) const = default;
};
void to_json(json& value, const DidChangeWatchedFilesParams& in);
void from_json(const json& value, DidChangeWatchedFilesParams& out);

struct FileSystemWatcher {
  std::string globPattern;
  std::optional<uint32_t> kind;  // 1 create, 2 change, 4 delete; absent: all
  bool operator==(const FileSystemWatcher&) const = default;
};
void to_json(json& value, const FileSystemWatcher& in);
void from_json(const json& value, FileSystemWatcher& out);

struct DidChangeWatchedFilesRegistrationOptions {
  std::vector<FileSystemWatcher> watchers;
  bool operator==(const DidChangeWatchedFilesRegistrationOptions&) const = default;
};
void to_json(json& value, const DidChangeWatchedFilesRegistrationOptions& in);
void from_json(const json& value, DidChangeWatchedFilesRegistrationOptions& out);

struct Registration {
  std::string id;
  std::string method;
  json registerOptions;  // null: absent
  bool operator==(const Registration&) const = default;
};
void to_json(json& value, const Registration& in);
void from_json(const json& value, Registration& out);

/// client/registerCapability
struct RegistrationParams {
  std::vector<Registration> registrations;
  bool operator==(const RegistrationParams&) const = default;
};
void to_json(json& value, const RegistrationParams& in);
void from_json(const json& value, RegistrationParams& out);

struct Unregistration {
  std::string id;
  std::string method;
  bool operator==(const Unregistration&) const = default;
};
void to_json(json& value, const Unregistration& in);
void from_json(const json& value, Unregistration& out);

/// client/unregisterCapability
struct UnregistrationParams {
  std::vector<Unregistration> unregisterations;  // the specification's spelling
  bool operator==(const UnregistrationParams&) const = default;
};
void to_json(json& value, const UnregistrationParams& in);
void from_json(const json& value, UnregistrationParams& out);

struct WorkspaceFoldersChangeEvent {
  std::vector<WorkspaceFolder> added;
  std::vector<WorkspaceFolder> removed;
  bool operator==(const WorkspaceFoldersChangeEvent&) const = default;
};
void to_json(json& value, const WorkspaceFoldersChangeEvent& in);
void from_json(const json& value, WorkspaceFoldersChangeEvent& out);

/// workspace/didChangeWorkspaceFolders
struct DidChangeWorkspaceFoldersParams {
  WorkspaceFoldersChangeEvent event;
  bool operator==(const DidChangeWorkspaceFoldersParams&) const = default;
};
void to_json(json& value, const DidChangeWorkspaceFoldersParams& in);
void from_json(const json& value, DidChangeWorkspaceFoldersParams& out);

/// workspace/applyEdit, a request to the client
struct ApplyWorkspaceEditParams {
  std::optional<std::string> label;
  WorkspaceEdit edit;
  bool operator==(const ApplyWorkspaceEditParams&) const = default;
};
void to_json(json& value, const ApplyWorkspaceEditParams& in);
void from_json(const json& value, ApplyWorkspaceEditParams& out);

struct ApplyWorkspaceEditResult {
  bool applied = false;
  std::optional<std::string> failureReason;
  std::optional<uint32_t> failedChange;
  bool operator==(const ApplyWorkspaceEditResult&) const = default;
};
void to_json(json& value, const ApplyWorkspaceEditResult& in);
void from_json(const json& value, ApplyWorkspaceEditResult& out);

/// workspace/executeCommand
struct ExecuteCommandParams {
  std::string command;
  std::optional<std::vector<json>> arguments;
  bool operator==(const ExecuteCommandParams&) const = default;
};
void to_json(json& value, const ExecuteCommandParams& in);
void from_json(const json& value, ExecuteCommandParams& out);

}  // namespace heddle::lsp
