#include "server/dap/session.h"

#include <utility>

#include "server/dap/arguments.h"
#include "server/version.h"

namespace heddle::dap {

DebugSession::DebugSession(const Engine& engine, std::string userFolder, std::stop_token stop, Send send)
    : engine_(engine), userFolder_(std::move(userFolder)), stop_(std::move(stop)), send_(std::move(send)) {}

const std::map<std::string, DebugSession::Handler, std::less<>>& DebugSession::handlers() {
  static const std::map<std::string, Handler, std::less<>> kHandlers = {
      {"initialize", &DebugSession::initialize},
      {"launch", &DebugSession::launch},
      {"configurationDone", &DebugSession::configurationDone},
      {"disconnect", &DebugSession::disconnect},
      {"terminate", &DebugSession::disconnect},
      {"source", &DebugSession::source},
      {"setBreakpoints", &DebugSession::setBreakpoints},
      {"setFunctionBreakpoints", &DebugSession::setFunctionBreakpoints},
      {"setDataBreakpoints", &DebugSession::setDataBreakpoints},
      {"setExceptionBreakpoints", &DebugSession::setExceptionBreakpoints},
      {"dataBreakpointInfo", &DebugSession::dataBreakpointInfo},
      {"continue", &DebugSession::goOn},
      {"reverseContinue", &DebugSession::goBack},
      {"next", &DebugSession::next},
      {"stepIn", &DebugSession::stepIn},
      {"stepOut", &DebugSession::stepOut},
      {"stepBack", &DebugSession::stepBack},
      {"pause", &DebugSession::pause},
      {"exceptionInfo", &DebugSession::exceptionInfo},
      {"stepInTargets", &DebugSession::stepInTargets},
      {"heddle/switchThread", &DebugSession::switchThread},
      {"heddle/keepSchedule", &DebugSession::keepSchedule},
      {"heddle/goTo", &DebugSession::goTo},
      {"threads", &DebugSession::threads},
      {"stackTrace", &DebugSession::stackTrace},
      {"scopes", &DebugSession::scopes},
      {"variables", &DebugSession::variables},
      {"evaluate", &DebugSession::evaluate},
  };
  return kHandlers;
}

void DebugSession::handle(std::string_view body) {
  const std::variant<Request, InvalidRequest> read = readRequest(body);
  if (const auto* invalid = std::get_if<InvalidRequest>(&read))
    return send_(makeFailure(++seq_, invalid->seq, invalid->command, invalid->reason));
  const Request& request = std::get<Request>(read);
  const auto handler = handlers().find(request.command);
  const bool needsProgram = request.command != "initialize" && request.command != "launch" &&
                            request.command != "disconnect" && request.command != "terminate";
  if (handler == handlers().end()) {
    respond(request, "'" + request.command + "' is not supported");
  } else if (!isInitialized_ && request.command != "initialize") {
    respond(request, "the session is not initialized yet");
  } else if (needsProgram && !target_.travel) {
    respond(request, "there is no program: launch one first");
  } else {
    respond(request, (this->*handler->second)(request));
    for (const auto& after : std::exchange(afterAnswer_, {})) after();
  }
}

void DebugSession::respond(const Request& request, Answer answer) {
  if (answer.problem)
    send_(makeFailure(++seq_, request.seq, request.command, *answer.problem));
  else
    send_(makeResponse(++seq_, request, std::move(answer.body)));
}

void DebugSession::event(std::string_view name, json body) {
  send_(makeEvent(++seq_, name, std::move(body)));
}

void DebugSession::output(const std::string& text, const char* category) {
  event("output", {{"category", category}, {"output", text + '\n'}});
}

Answer DebugSession::initialize(const Request& request) {
  if (isInitialized_) return "the session is initialized already";
  HEDDLE_DAP_ARGUMENTS(InitializeArguments, arguments);
  if (!arguments.linesStartAt1.value_or(true) || !arguments.columnsStartAt1.value_or(true))
    return "lines and columns must start at 1";
  isInitialized_ = true;
  json filters = json::array();
  for (const auto& [filter, label] :
       {std::pair{"race", "Data races"}, std::pair{"assert", "Failed assertions"},
        std::pair{"deadlock", "Deadlocks"}, std::pair{"memory", "Memory errors and misuse"}})
    filters.push_back({{"filter", filter}, {"label", label}, {"default", true}});
  return json{{"supportsConfigurationDoneRequest", true},
              {"supportsFunctionBreakpoints", true},
              {"supportsConditionalBreakpoints", true},
              {"supportsEvaluateForHovers", true},
              {"supportsStepBack", true},
              {"supportsStepInTargetsRequest", true},
              {"supportsDataBreakpoints", true},
              {"supportsExceptionInfoRequest", true},
              {"supportsSteppingGranularity", true},
              {"supportsTerminateRequest", true},
              {"exceptionBreakpointFilters", std::move(filters)}};
}

Answer DebugSession::launch(const Request& request) {
  HEDDLE_DAP_ARGUMENTS(LaunchArguments, arguments);
  if (target_.travel) return "a program is launched already";
  stopsOnEntry_ = arguments.stopOnEntry.value_or(false);
  target_ =
      openTarget(arguments, engine_, userFolder_, stop_, [this](const std::string& text) { output(text); });
  for (const std::string& note : target_.notes) output(note);
  if (!target_.travel) {
    if (!target_.noFinding) return target_.problem;
    // Nothing failed: there is only nothing to debug.
    afterAnswer_.emplace_back([this] {
      output(target_.problem, "important");
      event("terminated", nullptr);
    });
    return json();
  }
  position_ = firstLine(*target_.travel);
  breakpoints_.find(*target_.travel);
  afterAnswer_.emplace_back([this] {
    if (!target_.claim.empty()) output(target_.claim);
    event("initialized", nullptr);
  });
  return json();
}

Answer DebugSession::configurationDone(const Request&) {
  if (std::exchange(isConfigured_, true)) return "the configuration is done already";
  afterAnswer_.emplace_back([this] {
    if (stopsOnEntry_)
      stopAt(position_, "entry", nullptr);
    else
      runForward(target_.travel->end(), "pause");
  });
  return json();
}

Answer DebugSession::disconnect(const Request& request) {
  const bool ends = request.command == "disconnect";
  isOver_ |= ends;
  if (!ends) afterAnswer_.emplace_back([this] { event("terminated", nullptr); });
  return json();
}

Answer DebugSession::source(const Request&) {
  return json{{"content", target_.explored}, {"mimeType", "text/x-c"}};
}

}  // namespace heddle::dap
