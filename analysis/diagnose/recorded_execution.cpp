#include "analysis/diagnose/recorded_execution.h"

#include <algorithm>

#include "analysis/explore/guided_scheduler.h"
#include "analysis/interp/schedulers/replay.h"

namespace heddle {

namespace {

/// The events of the thread's path in the last run, first to last.
std::vector<NodeId> pathOf(Runner& runner, ThreadId thread) {
  const Forest& forest = runner.forest();
  std::vector<NodeId> path;
  for (NodeId node = runner.builder().lastEvent(thread); node != kNone; node = forest[node].lastEvent)
    path.push_back(node);
  std::reverse(path.begin(), path.end());
  return path;
}

NodeId pendingAt(Runner& runner, const Event& event) {
  const Forest& forest = runner.forest();
  const NodeId position = runner.builder().position(event.thread);
  if (position == kNone) return kNone;
  for (const auto& [slot, child] : forest[position].children) {
    const Node& n = forest[child];
    if (n.kind == NodeKind::Event && n.event == event.kind && n.place == event.place) return child;
  }
  return kNone;
}

std::optional<RecordedExecution> recordedAfter(Runner& runner, Runner::Outcome outcome) {
  if (outcome != Runner::Outcome::Merged) return std::nullopt;
  return lastExecution(runner);
}

}  // namespace

std::optional<RecordedExecution> lastExecution(Runner& runner) {
  const RunResult& run = runner.lastRun();
  if (run.outcome != RunOutcome::Quiescent) return std::nullopt;
  RecordedExecution execution;
  std::map<ThreadId, std::pair<std::vector<NodeId>, size_t>> paths;
  for (const TraceEntry& entry : run.trace) {
    auto it = paths.find(entry.thread);
    if (it == paths.end())
      it = paths.emplace(entry.thread, std::pair(pathOf(runner, entry.thread), size_t{0})).first;
    auto& [path, at] = it->second;
    // An event the forest does not have at its place: the two do not describe the same run.
    if (at == path.size() || runner.forest()[path[at]].event != entry.kind) return std::nullopt;
    execution.order.push_back(path[at++]);
  }
  for (const Event& event : run.blocked)
    if (const NodeId node = pendingAt(runner, event); node != kNone) execution.blocked.push_back(node);
  execution.trace = run.trace;
  execution.inputs = run.inputs;
  execution.failures = run.failures;
  execution.schedule = scheduleOf(runner.names(), run.trace, run.trace.size(), run.inputs);
  return execution;
}

std::optional<RecordedExecution> followSchedule(Runner& runner, const Schedule& schedule,
                                                const Budget& budget) {
  ReplayScheduler scheduler(runner.names(), schedule);
  // With inputs that are constants for the whole exploration nothing branches on them.
  FixedInputs inputs(runner.names(), schedule.inputs, runner.options().fixedInputs == nullptr);
  std::optional<RecordedExecution> execution = recordedAfter(runner, runner.run(scheduler, inputs, budget));
  if (!scheduler.divergence().empty()) return std::nullopt;
  return execution;
}

std::optional<RecordedExecution> followPlan(Runner& runner, std::vector<NodeId> plan, ModelInputs& inputs,
                                            const Budget& budget) {
  GuidedScheduler scheduler(runner.forest(), runner.builder(), std::move(plan), {});
  std::unique_ptr<InputSource> fixed;
  if (runner.options().fixedInputs)
    fixed = std::make_unique<FixedInputs>(runner.names(), *runner.options().fixedInputs);
  std::optional<RecordedExecution> execution =
      recordedAfter(runner, runner.run(scheduler, fixed ? *fixed : inputs, budget));
  if (scheduler.diverged()) return std::nullopt;
  return execution;
}

}  // namespace heddle
