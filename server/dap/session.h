// DebugSession: one client of the Debug Adapter Protocol. Takes the bodies of messages, gives answers and
// events.
//
// No code of the user's is run: the program is interpreted along one schedule, and "running" is a move to
// another position of it. So every request is answered at once, and all threads always stand still.
//
// Threading: one thread; `stop` ends a long launch from any.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "protocol/dap.h"
#include "server/dap/breakpoints.h"
#include "server/dap/navigation.h"
#include "server/dap/target.h"
#include "server/dap/views.h"
#include "server/engine.h"

namespace heddle::dap {

/// The body of a response, or what is wrong.
class Answer {
 public:
  Answer(json given) : body(std::move(given)) {}
  Answer(std::string text) : problem(std::move(text)) {}
  Answer(const char* text) : problem(text) {}

  json body;
  std::optional<std::string> problem;
};

class DebugSession {
 public:
  using Send = std::function<void(const json& message)>;
  DebugSession(const Engine& engine, std::string userFolder, std::stop_token stop, Send send);

  void handle(std::string_view body);
  bool isOver() const { return isOver_; }

 private:
  using Handler = Answer (DebugSession::*)(const Request&);
  static const std::map<std::string, Handler, std::less<>>& handlers();

  // session.cpp: life and answers
  Answer initialize(const Request& request);
  Answer launch(const Request& request);
  Answer configurationDone(const Request& request);
  Answer disconnect(const Request& request);
  Answer source(const Request& request);
  void respond(const Request& request, Answer answer);
  void event(std::string_view name, json body);
  void output(const std::string& text, const char* category = "console");

  // session_break.cpp
  Answer setBreakpoints(const Request& request);
  Answer setFunctionBreakpoints(const Request& request);
  Answer setDataBreakpoints(const Request& request);
  Answer setExceptionBreakpoints(const Request& request);
  Answer dataBreakpointInfo(const Request& request);

  // session_run.cpp: moves
  Answer goOn(const Request& request);
  Answer goBack(const Request& request);
  Answer next(const Request& request);
  Answer stepIn(const Request& request);
  Answer stepOut(const Request& request);
  Answer stepBack(const Request& request);
  Answer pause(const Request& request);
  Answer exceptionInfo(const Request& request);
  Answer stepInTargets(const Request& request);
  Answer switchThread(const Request& request);
  Answer keepSchedule(const Request& request);
  Answer goTo(const Request& request);
  Answer step(const Request& request, StepKind kind);
  std::optional<std::string> switchTo(ThreadId thread, json& body);
  std::optional<std::string> keep(const std::string& path);
  /// Moves to `to`, or to the first hit before it.
  void runForward(uint64_t to, const std::string& reason);
  void runBack(std::optional<uint64_t> to);
  void stopAt(uint64_t position, const std::string& reason, const Hit* hit);
  const Claim* claimHere() const;
  std::string claimText(const Claim& claim) const;
  ThreadId threadHere() const;

  // session_look.cpp
  Answer threads(const Request& request);
  Answer stackTrace(const Request& request);
  Answer scopes(const Request& request);
  Answer variables(const Request& request);
  Answer evaluate(const Request& request);
  std::optional<Answer> command(const std::string& text);
  Execution& state() { return target_.travel->at(position_); }

  const Engine& engine_;
  const std::string userFolder_;
  const std::stop_token stop_;
  const Send send_;
  int64_t seq_ = 0;
  bool isInitialized_ = false, isOver_ = false, stopsOnEntry_ = false;
  bool isConfigured_ = false;
  std::vector<std::function<void()>> afterAnswer_;  // events that must not come before it
  Target target_;
  Views views_{target_};
  Breakpoints breakpoints_;
  uint64_t position_ = 0;
  std::optional<ThreadId> chosenThread_;  // the thread that the client steps
};

}  // namespace heddle::dap
