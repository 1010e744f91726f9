// initialize, $/setTrace, $/cancelRequest. Plain data.
//
// `initialized`, `shutdown` and `exit` have no parameters: NoParams of decode.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base.h"
#include "protocol/client_capabilities.h"
#include "protocol/jsonrpc.h"
#include "protocol/progress.h"
#include "protocol/server_capabilities.h"

namespace heddle::lsp {

enum class TraceValue : uint8_t { Off, Messages, Verbose };
void to_json(json& value, TraceValue in);
void from_json(const json& value, TraceValue& out);  // unknown words read as Off

/// Name and version of a program: clientInfo and serverInfo.
struct ProgramInfo {
  std::string name;
  std::optional<std::string> version;
  bool operator==(const ProgramInfo&) const = default;
};
void to_json(json& value, const ProgramInfo& in);
void from_json(const json& value, ProgramInfo& out);

struct InitializeParams {
  std::optional<int64_t> processId;
  std::optional<ProgramInfo> clientInfo;
  std::optional<std::string> locale;
  std::optional<std::string> rootPath;  // deprecated in favour of rootUri, that of workspaceFolders
  std::optional<DocumentUri> rootUri;
  json initializationOptions;  // null: absent
  ClientCapabilities capabilities;
  std::optional<TraceValue> trace;
  std::optional<std::vector<WorkspaceFolder>> workspaceFolders;
  std::optional<ProgressToken> workDoneToken;
  bool operator==(const InitializeParams&) const = default;
};
void to_json(json& value, const InitializeParams& in);
void from_json(const json& value, InitializeParams& out);

struct InitializeResult {
  ServerCapabilities capabilities;
  std::optional<ProgramInfo> serverInfo;
  bool operator==(const InitializeResult&) const = default;
};
void to_json(json& value, const InitializeResult& in);
void from_json(const json& value, InitializeResult& out);

struct SetTraceParams {
  TraceValue value = TraceValue::Off;
  bool operator==(const SetTraceParams&) const = default;
};
void to_json(json& value, const SetTraceParams& in);
void from_json(const json& value, SetTraceParams& out);

struct LogTraceParams {
  std::string message;
  std::optional<std::string> verbose;
  bool operator==(const LogTraceParams&) const = default;
};
void to_json(json& value, const LogTraceParams& in);
void from_json(const json& value, LogTraceParams& out);

struct CancelParams {
  RequestId id;
  bool operator==(const CancelParams&) const = default;
};
void to_json(json& value, const CancelParams& in);
void from_json(const json& value, CancelParams& out);

}  // namespace heddle::lsp
