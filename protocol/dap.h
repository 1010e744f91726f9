// The Debug Adapter Protocol, as far as Heddle speaks it: the envelope of messages, the arguments of requests
// and the parts of their answers, as plain structs with the protocol's names.
//
// Framing is that of LSP (framing.h); the JSON inside is not JSON-RPC. Reading never throws outside of decode
// (decode.h). Plain data; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/json.h"

namespace heddle::dap {

using lsp::json;

struct Request {
  int64_t seq = 0;
  std::string command;
  json arguments;  // null: absent
};

/// A body that is no request; `seq` and `command` are set as far as they could be read.
struct InvalidRequest {
  int64_t seq = 0;
  std::string command;
  std::string reason;  // one line
};

/// Never throws. The client sends no responses, because Heddle sends it no requests.
std::variant<Request, InvalidRequest> readRequest(std::string_view body);

json makeResponse(int64_t seq, const Request& request, json body);
/// `message` is shown to the user.
json makeFailure(int64_t seq, int64_t requestSeq, std::string_view command, std::string_view message);
json makeEvent(int64_t seq, std::string_view event, json body);

struct InitializeArguments {
  std::optional<bool> linesStartAt1;
  std::optional<bool> columnsStartAt1;
};
void to_json(json& value, const InitializeArguments& in);
void from_json(const json& value, InitializeArguments& out);

/// The arguments of `launch` are our own: `program` is a file or several, `finding` a number from 1 or an id,
/// `schedule` the text of a schedule or a file with it, `options` words as `heddle check` takes them, `flags`
/// for Clang.
struct LaunchArguments {
  json program;
  json finding;
  std::optional<std::string> schedule;
  std::optional<std::vector<std::string>> options;
  std::optional<std::vector<std::string>> flags;
  std::optional<std::string> cwd;
  std::optional<bool> stopOnEntry;
};
void to_json(json& value, const LaunchArguments& in);
void from_json(const json& value, LaunchArguments& out);

struct Source {
  std::optional<std::string> name;
  std::optional<std::string> path;
  std::optional<int64_t> sourceReference;
};
void to_json(json& value, const Source& in);
void from_json(const json& value, Source& out);

struct SourceBreakpoint {
  int64_t line = 0;
  std::optional<std::string> condition;
};
void to_json(json& value, const SourceBreakpoint& in);
void from_json(const json& value, SourceBreakpoint& out);

struct SetBreakpointsArguments {
  Source source;
  std::optional<std::vector<SourceBreakpoint>> breakpoints;
};
void to_json(json& value, const SetBreakpointsArguments& in);
void from_json(const json& value, SetBreakpointsArguments& out);

struct FunctionBreakpoint {
  std::string name;
  std::optional<std::string> condition;
};
void to_json(json& value, const FunctionBreakpoint& in);
void from_json(const json& value, FunctionBreakpoint& out);

struct SetFunctionBreakpointsArguments {
  std::vector<FunctionBreakpoint> breakpoints;
};
void to_json(json& value, const SetFunctionBreakpointsArguments& in);
void from_json(const json& value, SetFunctionBreakpointsArguments& out);

struct DataBreakpoint {
  std::string dataId;
  std::optional<std::string> accessType;  // "read", "write", "readWrite"
  std::optional<std::string> condition;
};
void to_json(json& value, const DataBreakpoint& in);
void from_json(const json& value, DataBreakpoint& out);

struct SetDataBreakpointsArguments {
  std::vector<DataBreakpoint> breakpoints;
};
void to_json(json& value, const SetDataBreakpointsArguments& in);
void from_json(const json& value, SetDataBreakpointsArguments& out);

struct DataBreakpointInfoArguments {
  std::string name;
  std::optional<int64_t> variablesReference;
  std::optional<int64_t> frameId;
};
void to_json(json& value, const DataBreakpointInfoArguments& in);
void from_json(const json& value, DataBreakpointInfoArguments& out);

struct SetExceptionBreakpointsArguments {
  std::vector<std::string> filters;
};
void to_json(json& value, const SetExceptionBreakpointsArguments& in);
void from_json(const json& value, SetExceptionBreakpointsArguments& out);

/// The arguments of `next`, `stepIn`, `stepOut`, `stepBack`, `continue`, `reverseContinue`, `pause`,
/// `exceptionInfo`, and of our `heddle/switchThread`.
struct ThreadArguments {
  int64_t threadId = 0;
  std::optional<std::string> granularity;  // "statement", "line", "instruction": an event of any thread
  std::optional<int64_t> targetId;         // of stepIn
};
void to_json(json& value, const ThreadArguments& in);
void from_json(const json& value, ThreadArguments& out);

struct StackTraceArguments {
  int64_t threadId = 0;
  std::optional<int64_t> startFrame;
  std::optional<int64_t> levels;
};
void to_json(json& value, const StackTraceArguments& in);
void from_json(const json& value, StackTraceArguments& out);

/// The arguments of `scopes` and `stepInTargets`.
struct FrameArguments {
  int64_t frameId = 0;
};
void to_json(json& value, const FrameArguments& in);
void from_json(const json& value, FrameArguments& out);

struct VariablesArguments {
  int64_t variablesReference = 0;
  std::optional<std::string> filter;
  std::optional<int64_t> start;
  std::optional<int64_t> count;
};
void to_json(json& value, const VariablesArguments& in);
void from_json(const json& value, VariablesArguments& out);

struct EvaluateArguments {
  std::string expression;
  std::optional<int64_t> frameId;
  std::optional<std::string> context;
};
void to_json(json& value, const EvaluateArguments& in);
void from_json(const json& value, EvaluateArguments& out);

/// The arguments of our `heddle/keepSchedule`.
struct KeepArguments {
  std::string path;
};
void to_json(json& value, const KeepArguments& in);
void from_json(const json& value, KeepArguments& out);

/// The arguments of our `heddle/goTo`: either a step's number in the interleaving, or the step as an
/// interleaving shows it, which may leave others out.
struct GoToArguments {
  std::optional<int64_t> step;  // from 0
  std::optional<std::string> thread;
  std::optional<std::string> text;
  std::optional<int64_t> occurrence;  // among the thread's steps of that text, from 0; absent: 0
};
void to_json(json& value, const GoToArguments& in);
void from_json(const json& value, GoToArguments& out);

/// One line of `variables`.
struct Variable {
  std::string name;
  std::string value;
  std::optional<std::string> type;
  int64_t variablesReference = 0;
  std::optional<int64_t> indexedVariables;
  std::optional<std::string> evaluateName;
};
void to_json(json& value, const Variable& in);
void from_json(const json& value, Variable& out);

struct Breakpoint {
  int64_t id = 0;
  bool verified = false;
  std::optional<std::string> message;
  std::optional<Source> source;
  std::optional<int64_t> line;
};
void to_json(json& value, const Breakpoint& in);
void from_json(const json& value, Breakpoint& out);

struct StackFrame {
  int64_t id = 0;
  std::string name;
  std::optional<Source> source;
  int64_t line = 0;
  int64_t column = 0;
};
void to_json(json& value, const StackFrame& in);
void from_json(const json& value, StackFrame& out);

struct StoppedBody {
  std::string reason;
  std::optional<std::string> description;
  std::optional<std::string> text;
  std::optional<int64_t> threadId;
  bool allThreadsStopped = true;
  std::optional<std::vector<int64_t>> hitBreakpointIds;
};
void to_json(json& value, const StoppedBody& in);
void from_json(const json& value, StoppedBody& out);

}  // namespace heddle::dap
