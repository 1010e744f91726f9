// Programs to travel in, for the tests of the debugger.
#pragma once

#include <memory>
#include <string>

#include "analysis/compile/compile_command.h"
#include "analysis/debug/thread_view.h"
#include "analysis/debug/time_travel.h"

namespace heddle::test {

struct Travelled {
  std::unique_ptr<TimeTravel> travel;
  std::string problem;
  Report report;

  static Snapshot snapshotOf(const std::string& text) {
    Snapshot snapshot;
    snapshot.path = "/program/a.c";
    snapshot.text = text;
    snapshot.command = commandFromFlags(snapshot.path, {});
    return snapshot;
  }
  static Travelled of(const std::string& text, const std::string& schedule) {
    Travelled out;
    const Snapshot snapshot = snapshotOf(text);
    const auto prepared = std::make_shared<const PreparedProgram>(prepare(snapshot, "main", false, true));
    const std::optional<Schedule> parsed = Schedule::parse(schedule, out.problem);
    if (parsed) out.travel = TimeTravel::open(prepared, text, *parsed, Budget{}, out.problem);
    return out;
  }
  /// Of the kind, if there is one of it.
  static Travelled ofFirstFinding(const std::string& text, Property kind = Property::Assert) {
    Budget budget;
    budget.withSteps(1'000'000);
    const Report report = analyze(snapshotOf(text), Options{}, budget);
    for (const Finding& finding : report.findings) {
      if (finding.kind != kind && &finding != &report.findings.back()) continue;
      Travelled out = of(text, finding.schedule);
      out.report = report;
      return out;
    }
    Travelled out;
    out.problem = "no finding: " + report.problem;
    return out;
  }
};

/// All that can be seen at a position.
inline std::string stateAt(TimeTravel& travel, uint64_t position) {
  Execution& state = travel.at(position);
  const ThreadView view(state);
  const ValueView values(state);
  std::string out;
  for (const ThreadState& thread : view.threads()) {
    out += thread.name + " " + thread.state + "\n";
    for (const FrameView& frame : view.frames(thread.id)) {
      out += "  " + frame.function + ":" + std::to_string(frame.place.line) + "\n";
      for (const NamedValue& local : view.locals(thread.id, frame.index))
        out += "    " + local.name + " = " + values.text(local.value) + "\n";
    }
    for (const std::string& lock : view.heldLocks(thread.id)) out += "  holds " + lock + "\n";
    for (const NamedValue& global : view.globals(thread.id))
      out += "  " + global.name + " = " + values.text(global.value) + "\n";
  }
  return out;
}

}  // namespace heddle::test
