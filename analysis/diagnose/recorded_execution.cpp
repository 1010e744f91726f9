#include "analysis/diagnose/recorded_execution.h"

#include <algorithm>

#include "analysis/explore/run/guided_scheduler.h"
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

/// The run without the rounds of loops that only waited: they are on no path of the forest. What is left is
/// an execution, too, in which the thread came to its last round later.
std::vector<TraceEntry> withoutRounds(Runner& runner, const std::vector<TraceEntry>& trace) {
  const Forest& forest = runner.forest();
  std::map<ThreadId, std::vector<NodeId>> executed;
  for (const NodeId node : runner.builder().executed()) executed[forest[node].thread].push_back(node);
  std::map<ThreadId, size_t> count;
  for (const TraceEntry& entry : trace) ++count[entry.thread];
  // Of each thread, whether its i-th event stays: the last time that a node of its path was executed.
  std::map<ThreadId, std::vector<bool>> stays;
  for (const auto& [thread, events] : count) {
    const std::vector<NodeId>& nodes = executed[thread];
    const std::vector<NodeId> path = pathOf(runner, thread);
    if (nodes.size() != events || path.size() == events) continue;  // all of them
    std::vector<bool>& kept = stays[thread];
    kept.assign(events, false);
    size_t at = path.size();
    for (size_t i = events; i-- > 0;)
      if (at > 0 && nodes[i] == path[at - 1]) {
        kept[i] = true;
        --at;
      }
  }
  std::vector<TraceEntry> rest;
  std::map<ThreadId, size_t> next;
  for (const TraceEntry& entry : trace) {
    const auto kept = stays.find(entry.thread);
    const size_t i = next[entry.thread]++;
    if (kept == stays.end() || kept->second[i]) rest.push_back(entry);
  }
  return rest;
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
  execution.trace = withoutRounds(runner, run.trace);
  std::map<ThreadId, std::pair<std::vector<NodeId>, size_t>> paths;
  for (const TraceEntry& entry : execution.trace) {
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
  execution.inputs = run.inputs;
  execution.failures = run.failures;
  execution.schedule = scheduleOf(runner.names(), execution.trace, execution.trace.size(), run.inputs);
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
  std::optional<RecordedExecution> execution =
      recordedAfter(runner, runner.follow(scheduler, inputs, budget));
  if (scheduler.diverged()) return std::nullopt;
  return execution;
}

}  // namespace heddle
