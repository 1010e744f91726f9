// What a session shows of the program where it stands.
#include "server/dap/arguments.h"
#include "server/dap/session.h"

namespace heddle::dap {

Answer DebugSession::threads(const Request&) {
  return views_.threads(state());
}

Answer DebugSession::stackTrace(const Request& request) {
  HEDDLE_DAP_ARGUMENTS(StackTraceArguments, arguments);
  Execution& here = state();
  if (!here.thread(static_cast<ThreadId>(arguments.threadId - 1))) return "there is no such thread here";
  return views_.stackTrace(here, arguments);
}

Answer DebugSession::scopes(const Request& request) {
  HEDDLE_DAP_ARGUMENTS(FrameArguments, arguments);
  json body = views_.scopes(arguments.frameId);
  if (body.is_null()) return "there is no such frame here";
  return body;
}

Answer DebugSession::variables(const Request& request) {
  HEDDLE_DAP_ARGUMENTS(VariablesArguments, arguments);
  std::optional<json> body = views_.variables(state(), arguments);
  if (!body) return "these variables are not there any more: the program has gone on";
  return *body;
}

Answer DebugSession::evaluate(const Request& request) {
  HEDDLE_DAP_ARGUMENTS(EvaluateArguments, arguments);
  if (arguments.context == "repl")
    if (std::optional<Answer> answer = command(arguments.expression)) return *answer;
  Execution& here = state();
  std::optional<Views::FrameId> frame;
  if (arguments.frameId) {
    frame = views_.frame(*arguments.frameId);
    if (!frame) return "there is no such frame here";
  } else if (const Thread* thread = here.thread(threadHere()); thread && !thread->frames.empty()) {
    frame = Views::FrameId{thread->id, thread->frames.size() - 1};
  }
  if (!frame) frame = Views::FrameId{threadHere(), 0};
  std::variant<json, std::string> value = views_.evaluated(here, *frame, arguments.expression);
  if (auto* problem = std::get_if<std::string>(&value)) return *problem;
  return std::get<json>(value);
}

/// ".switch T1", ".keep FILE", ".goto STEP": what a client without our own requests types.
std::optional<Answer> DebugSession::command(const std::string& text) {
  const size_t blank = text.find(' ');
  const std::string word = text.substr(0, blank);
  std::string rest = blank == std::string::npos ? "" : text.substr(text.find_first_not_of(' ', blank));
  const auto done = [](const std::string& said) {
    return Answer(json{{"result", said}, {"variablesReference", 0}});
  };
  if (word == ".switch") {
    for (const auto& thread : state().threads()) {
      if (thread->label != rest) continue;
      json body;
      if (const auto problem = switchTo(thread->id, body)) return Answer(*problem);
      return done(body.at("outcome").get<std::string>());
    }
    return Answer("there is no thread '" + rest + "' here");
  }
  if (word == ".keep") {
    if (const auto problem = keep(rest)) return Answer(*problem);
    return done("kept in " + rest);
  }
  if (word == ".goto") {
    if (rest.empty() || rest.size() > 9 || rest.find_first_not_of("0123456789") != std::string::npos)
      return Answer(std::string(".goto takes the number of a step, from 0"));
    const uint64_t to = stopOfEvent(*target_.travel, std::stoull(rest));
    afterAnswer_.emplace_back([this, to] { stopAt(to, "goto", nullptr); });
    return done("step " + rest);
  }
  if (text.starts_with('.')) return Answer(std::string(".switch THREAD, .keep FILE.schedule, .goto STEP"));
  return std::nullopt;
}

}  // namespace heddle::dap
