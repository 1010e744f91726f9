// Moves along the schedule, and changes of it.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "server/dap/arguments.h"
#include "server/dap/session.h"

namespace heddle::dap {

namespace {

constexpr const char* kScheduleSuffix = ".schedule";
/// Of one question while the user waits; a schedule takes much less.
constexpr std::chrono::seconds kMostForASwitch{30};

}  // namespace

ThreadId DebugSession::threadHere() const {
  const TimeTravel& travel = *target_.travel;
  if (position_ < travel.end()) return travel.stops()[position_].thread;
  const Claim* claim = claimHere();
  if (claim && claim->thread != kNone) return claim->thread;
  return chosenThread_.value_or(kMainThread);
}

const Claim* DebugSession::claimHere() const {
  for (const Claim& claim : target_.travel->claims())
    if (claim.position == position_) return &claim;
  return nullptr;
}

std::string DebugSession::claimText(const Claim& claim) const {
  const bool isFinding = !target_.claim.empty() && claim.place.line == target_.claimPlace.line;
  return isFinding ? target_.claim : claim.message;
}

void DebugSession::stopAt(uint64_t position, const std::string& reason, const Hit* hit) {
  position_ = position;
  views_.forget();
  const TimeTravel& travel = *target_.travel;
  StoppedBody body;
  const Claim* claim = claimHere();
  const bool isClaim = claim && (!hit || hit->reason == "exception") && (hit || position == travel.end());
  body.reason = hit ? hit->reason : isClaim ? "exception" : reason;
  if (hit && !hit->text.empty()) body.text = hit->text;
  if (isClaim) {
    body.text = claimText(*claim);
    body.description = "Heddle: " + std::string(toString(claim->kind));
  } else if (position == travel.end()) {
    body.description = "the end of the schedule";
  } else if (hit && hit->reason == "data breakpoint") {
    body.description = hit->text;
  }
  body.threadId = idOf(hit && hit->thread != kNone ? hit->thread : threadHere());
  if (hit && !hit->ids.empty()) body.hitBreakpointIds = hit->ids;
  event("stopped", json(body));
  const SourcePlace place = position < travel.end() ? travel.place(travel.stops()[position]) : SourcePlace{};
  const uint64_t step = eventsBefore(travel, position);
  // Several, because an interleaving may leave out the very next one.
  constexpr uint64_t kTold = 64;
  json next = json::array();
  for (uint64_t i = step; i < std::min<uint64_t>(travel.steps().size(), step + kTold); ++i)
    next.push_back({{"thread", travel.steps()[i].thread},
                    {"text", travel.steps()[i].event},
                    {"occurrence", occurrenceOf(travel, i)}});
  event("heddle/position", {{"step", step},
                            {"steps", travel.steps().size()},
                            {"next", next},
                            {"position", position},
                            {"positions", travel.end()},
                            {"thread", travel.names().label(threadHere())},
                            {"line", place.line},
                            {"schedule", travel.schedule().toString()}});
}

void DebugSession::runForward(uint64_t to, const std::string& reason) {
  const Hit* hit = breakpoints_.after(position_, to);
  stopAt(hit ? hit->position : to, reason, hit);
}

void DebugSession::runBack(std::optional<uint64_t> to) {
  const Hit* hit = breakpoints_.before(position_);
  if (hit) hit = breakpoints_.at(hit->position);
  if (hit && (!to || hit->position > *to)) return stopAt(hit->position, hit->reason, hit);
  if (to) return stopAt(*to, "step", breakpoints_.at(*to));
  stopAt(firstLine(*target_.travel), "entry", nullptr);
}

Answer DebugSession::goOn(const Request&) {
  if (position_ >= target_.travel->end()) {
    afterAnswer_.emplace_back([this] { event("terminated", nullptr); });
    return json{{"allThreadsContinued", true}};
  }
  afterAnswer_.emplace_back([this] { runForward(target_.travel->end(), "pause"); });
  return json{{"allThreadsContinued", true}};
}

Answer DebugSession::goBack(const Request&) {
  afterAnswer_.emplace_back([this] { runBack(std::nullopt); });
  return json();
}

Answer DebugSession::step(const Request& request, StepKind kind) {
  HEDDLE_DAP_ARGUMENTS(ThreadArguments, arguments);
  const auto thread = static_cast<ThreadId>(arguments.threadId - 1);
  if (!state().thread(thread)) return "there is no such thread here";
  if (kind == StepKind::In && arguments.targetId) {
    json body;
    if (const auto problem = switchTo(static_cast<ThreadId>(*arguments.targetId - 1), body)) return *problem;
    return json();
  }
  chosenThread_ = thread;
  const bool byEvent = arguments.granularity == "instruction";
  const uint64_t to =
      byEvent ? eventAfter(*target_.travel, position_) : lineAfter(*target_.travel, position_, thread, kind);
  afterAnswer_.emplace_back([this, to] { runForward(to, "step"); });
  return json();
}

Answer DebugSession::next(const Request& request) {
  return step(request, StepKind::Over);
}
Answer DebugSession::stepIn(const Request& request) {
  return step(request, StepKind::In);
}
Answer DebugSession::stepOut(const Request& request) {
  return step(request, StepKind::Out);
}

Answer DebugSession::stepBack(const Request& request) {
  HEDDLE_DAP_ARGUMENTS(ThreadArguments, arguments);
  const auto thread = static_cast<ThreadId>(arguments.threadId - 1);
  if (!state().thread(thread)) return "there is no such thread here";
  chosenThread_ = thread;
  const uint64_t to = arguments.granularity == "instruction" ? eventBefore(*target_.travel, position_)
                                                             : lineBefore(*target_.travel, position_, thread);
  afterAnswer_.emplace_back([this, to] { runBack(to); });
  return json();
}

Answer DebugSession::pause(const Request&) {
  afterAnswer_.emplace_back([this] { stopAt(position_, "pause", nullptr); });
  return json();
}

Answer DebugSession::exceptionInfo(const Request&) {
  const Claim* claim = claimHere();
  if (!claim) return "nothing is wrong at this point";
  return json{
      {"exceptionId", toString(claim->kind)}, {"description", claimText(*claim)}, {"breakMode", "always"}};
}

Answer DebugSession::stepInTargets(const Request& request) {
  HEDDLE_DAP_ARGUMENTS(FrameArguments, arguments);
  if (!views_.frame(arguments.frameId)) return "there is no such frame here";
  Execution& here = state();
  json list = json::array();
  for (const auto& thread : here.threads())
    if (thread->id != threadHere() && here.enabled(*thread))
      list.push_back({{"id", idOf(thread->id)},
                      {"label", "Switch to " + thread->label + ' ' +
                                    target_.travel->program().functionName(thread->function) + " here"}});
  return json{{"targets", std::move(list)}};
}

std::optional<std::string> DebugSession::switchTo(ThreadId thread, json& body) {
  std::string problem;
  Budget budget = Budget::forDuration(kMostForASwitch);
  budget.withStop(stop_);
  std::unique_ptr<TimeTravel> changed = target_.travel->switchTo(position_, thread, budget, problem);
  if (!changed) return problem;
  target_.travel = std::move(changed);
  const TimeTravel& travel = *target_.travel;
  std::string outcome = "passes: nothing fails on the changed schedule";
  if (!travel.claims().empty()) {
    const Claim& first = travel.claims().front();
    outcome = "fails: " + first.message + " (" + std::filesystem::path(first.place.file).filename().string() +
              ':' + std::to_string(first.place.line) + ')';
  }
  const std::string schedule = travel.schedule().toString();
  body = {{"outcome", outcome}, {"passes", travel.claims().empty()}, {"schedule", schedule}};
  breakpoints_.find(*target_.travel);
  afterAnswer_.emplace_back([this, outcome] {
    output("the thread is switched; from here on the program " + outcome, "important");
    stopAt(position_, "step", nullptr);
  });
  return std::nullopt;
}

Answer DebugSession::switchThread(const Request& request) {
  HEDDLE_DAP_ARGUMENTS(ThreadArguments, arguments);
  json body;
  if (const auto problem = switchTo(static_cast<ThreadId>(arguments.threadId - 1), body)) return *problem;
  return body;
}

std::optional<std::string> DebugSession::keep(const std::string& path) {
  if (!path.ends_with(kScheduleSuffix))
    return "the name of a kept schedule ends with " + std::string(kScheduleSuffix);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << "# " << std::filesystem::path(target_.file).filename().string() << ", kept in the debugger\n"
       << target_.travel->schedule().toString() << '\n';
  file.close();
  if (!file) return path + ": cannot be written; check the path and its permissions";
  return std::nullopt;
}

Answer DebugSession::keepSchedule(const Request& request) {
  HEDDLE_DAP_ARGUMENTS(KeepArguments, arguments);
  if (const auto problem = keep(arguments.path)) return *problem;
  return json{{"path", arguments.path}};
}

Answer DebugSession::goTo(const Request& request) {
  HEDDLE_DAP_ARGUMENTS(GoToArguments, arguments);
  const TimeTravel& travel = *target_.travel;
  uint64_t to = 0;
  if (arguments.step) {
    if (*arguments.step < 0) return "steps are counted from 0";
    to = stopOfEvent(travel, static_cast<uint64_t>(*arguments.step));
  } else {
    if (!arguments.thread || !arguments.text) return "a step is named by its number, or by thread and text";
    const std::optional<size_t> step =
        stepNamed(travel, *arguments.thread, *arguments.text, arguments.occurrence.value_or(0));
    if (!step) return "this schedule has no such step";
    to = stopOfEvent(travel, *step);
  }
  afterAnswer_.emplace_back([this, to] { stopAt(to, "goto", nullptr); });
  return json();
}

}  // namespace heddle::dap
