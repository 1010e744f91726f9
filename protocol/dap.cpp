#include "protocol/dap.h"

#include "protocol/field.h"

namespace heddle::dap {

using lsp::integerOf;
using lsp::readField;
using lsp::readValue;
using lsp::requireObject;
using lsp::writeField;
using lsp::writeValue;

std::variant<Request, InvalidRequest> readRequest(std::string_view body) {
  std::variant<json, lsp::JsonError> parsed = lsp::parseJson(body);
  if (const auto* error = std::get_if<lsp::JsonError>(&parsed))
    return InvalidRequest{0, "", "the message is no JSON: " + error->message};
  json& value = std::get<json>(parsed);
  if (!value.is_object()) return InvalidRequest{0, "", "the message is no JSON object"};
  const auto textAt = [&](const char* key) {
    const auto at = value.find(key);
    return at != value.end() && at->is_string() ? at->get<std::string>() : std::string();
  };
  const std::string command = textAt("command");
  const auto at = value.find("seq");
  if (at == value.end() || !integerOf(*at))
    return InvalidRequest{0, command, "the message has no number 'seq'"};
  const int64_t seq = integerOf(*at).value_or(0);
  if (textAt("type") != "request") return InvalidRequest{seq, command, "the message is no request"};
  if (command.empty()) return InvalidRequest{seq, "", "the request has no 'command'"};
  const auto arguments = value.find("arguments");
  return Request{seq, command, arguments == value.end() ? json() : std::move(*arguments)};
}

json makeResponse(int64_t seq, const Request& request, json body) {
  json message = {{"seq", seq},
                  {"type", "response"},
                  {"request_seq", request.seq},
                  {"success", true},
                  {"command", request.command}};
  if (!body.is_null()) message["body"] = std::move(body);
  return message;
}

json makeFailure(int64_t seq, int64_t requestSeq, std::string_view command, std::string_view message) {
  return {{"seq", seq},
          {"type", "response"},
          {"request_seq", requestSeq},
          {"success", false},
          {"command", command},
          {"message", message},
          {"body", {{"error", {{"id", 1}, {"format", message}, {"showUser", true}}}}}};
}

json makeEvent(int64_t seq, std::string_view event, json body) {
  json message = {{"seq", seq}, {"type", "event"}, {"event", event}};
  if (!body.is_null()) message["body"] = std::move(body);
  return message;
}

HEDDLE_LSP_FIELDS(InitializeArguments, linesStartAt1, columnsStartAt1)
HEDDLE_LSP_FIELDS(LaunchArguments, program, finding, schedule, options, flags, cwd, stopOnEntry)
HEDDLE_LSP_FIELDS(Source, name, path, sourceReference)
HEDDLE_LSP_FIELDS(SourceBreakpoint, line, condition)
HEDDLE_LSP_FIELDS(SetBreakpointsArguments, source, breakpoints)
HEDDLE_LSP_FIELDS(FunctionBreakpoint, name, condition)
HEDDLE_LSP_FIELDS(SetFunctionBreakpointsArguments, breakpoints)
HEDDLE_LSP_FIELDS(DataBreakpoint, dataId, accessType, condition)
HEDDLE_LSP_FIELDS(SetDataBreakpointsArguments, breakpoints)
HEDDLE_LSP_FIELDS(DataBreakpointInfoArguments, name, variablesReference, frameId)
HEDDLE_LSP_FIELDS(SetExceptionBreakpointsArguments, filters)
HEDDLE_LSP_FIELDS(ThreadArguments, threadId, granularity, targetId)
HEDDLE_LSP_FIELDS(StackTraceArguments, threadId, startFrame, levels)
HEDDLE_LSP_FIELDS(FrameArguments, frameId)
HEDDLE_LSP_FIELDS(VariablesArguments, variablesReference, filter, start, count)
HEDDLE_LSP_FIELDS(EvaluateArguments, expression, frameId, context)
HEDDLE_LSP_FIELDS(KeepArguments, path)
HEDDLE_LSP_FIELDS(GoToArguments, step, thread, text, occurrence)
HEDDLE_LSP_FIELDS(Variable, name, value, type, variablesReference, indexedVariables, evaluateName)
HEDDLE_LSP_FIELDS(Breakpoint, id, verified, message, source, line)
HEDDLE_LSP_FIELDS(StackFrame, id, name, source, line, column)
HEDDLE_LSP_FIELDS(StoppedBody, reason, description, text, threadId, allThreadsStopped, hitBreakpointIds)

}  // namespace heddle::dap
