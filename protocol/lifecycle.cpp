#include "protocol/lifecycle.h"

#include "protocol/field.h"

namespace heddle::lsp {

void to_json(json& value, TraceValue in) {
  value = in == TraceValue::Verbose ? "verbose" : in == TraceValue::Messages ? "messages" : "off";
}

void from_json(const json& value, TraceValue& out) {
  out = value == "verbose"    ? TraceValue::Verbose
        : value == "messages" ? TraceValue::Messages
                              : TraceValue::Off;
}

HEDDLE_LSP_FIELDS(ProgramInfo, name, version)

void to_json(json& value, const InitializeParams& in) {
  value = json::object();
  value["processId"] = writeValue(in.processId);  // required, but may be null; likewise rootUri
  value["rootUri"] = writeValue(in.rootUri);
  writeField(value, "clientInfo", in.clientInfo);
  writeField(value, "locale", in.locale);
  writeField(value, "rootPath", in.rootPath);
  writeField(value, "initializationOptions", in.initializationOptions);
  writeField(value, "capabilities", in.capabilities);
  writeField(value, "trace", in.trace);
  writeField(value, "workspaceFolders", in.workspaceFolders);
  writeField(value, "workDoneToken", in.workDoneToken);
}

void from_json(const json& value, InitializeParams& out) {
  requireObject(value);
  readField(value, "processId", out.processId);
  readField(value, "rootUri", out.rootUri);
  readField(value, "clientInfo", out.clientInfo);
  readField(value, "locale", out.locale);
  readField(value, "rootPath", out.rootPath);
  readField(value, "initializationOptions", out.initializationOptions);
  // Lenient: a client that says nothing of its capabilities gets the plainest service instead of none.
  out.capabilities = valueAt(value, "capabilities").get<ClientCapabilities>();
  readField(value, "trace", out.trace);
  readField(value, "workspaceFolders", out.workspaceFolders);
  readField(value, "workDoneToken", out.workDoneToken);
}

HEDDLE_LSP_FIELDS(InitializeResult, capabilities, serverInfo)
HEDDLE_LSP_FIELDS(SetTraceParams, value)
HEDDLE_LSP_FIELDS(LogTraceParams, message, verbose)
HEDDLE_LSP_FIELDS(CancelParams, id)

}  // namespace heddle::lsp
