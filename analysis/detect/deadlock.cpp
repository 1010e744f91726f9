#include "analysis/detect/deadlock.h"

#include <algorithm>

#include "analysis/explore/run/guided_scheduler.h"
#include "analysis/interp/schedulers/replay.h"

namespace heddle {

bool DeadlockDetector::holds(NodeId node, LocationId mutex) const {
  const Forest& forest = strategy_.runner().forest();
  const auto& held = forest[node].held;
  return std::any_of(held.begin(), held.end(),
                     [&](NodeId lock) { return forest[lock].cells[0].location == mutex; });
}

bool DeadlockDetector::waitsFor(NodeId waiting, NodeId next) const {
  const Forest& forest = strategy_.runner().forest();
  const Node& n = forest[waiting];
  if (n.event == EventKind::Join) return n.other == forest[next].thread;
  return !n.cells.empty() && holds(next, n.cells[0].location);
}

bool DeadlockDetector::stopped(const Budget& budget) const {
  // After a restart of the exploration the nodes at hand mean nothing any more.
  return budget.check() != StopReason::None || strategy_.runner().forest().size() == 0;
}

bool DeadlockDetector::check(const Budget& budget) {
  const Forest& forest = strategy_.runner().forest();
  decided_ = true;
  requests_.clear();
  // The runs of another detector may have added to the forest what the formula does not know yet.
  if (stopped(budget) || !strategy_.encoder().update(budget)) return false;
  std::vector<NodeId> ends;
  for (NodeId id = 0; id < forest.size(); ++id) {
    const Node& n = forest[id];
    if (n.kind != NodeKind::Event) continue;
    // A try-lock does not wait.
    const bool tried = n.parent != kNone && forest[n.parent].kind == NodeKind::TryLock;
    if ((n.event == EventKind::Lock && !tried) || n.event == EventKind::Join) requests_.push_back(id);
    // The end of the process is the end of all waiting.
    if (n.event == EventKind::End && !n.endsProcess && n.thread != kMainThread && !n.held.empty())
      ends.push_back(id);
  }
  for (const NodeId request : requests_) {
    const Node& n = forest[request];
    if (n.event == EventKind::Lock) {
      const LocationId mutex = n.cells[0].location;
      if (holds(request, mutex)) decide({request}, kNone, budget);
      for (const NodeId end : ends)
        if (!stopped(budget) && forest[end].thread != n.thread && holds(end, mutex))
          decide({request}, end, budget);
    }
    if (stopped(budget)) return false;
    std::vector<NodeId> cycle{request};
    extend(cycle, budget);
    if (stopped(budget)) return false;
  }
  // Another detector may have emptied the forest before the first question here.
  if (stopped(budget)) return false;
  if (strategy_.runner().result().complete) decideStuck(budget);
  return decided_ && !stopped(budget);
}

bool DeadlockDetector::decideByStates(const StateSearchResult& states, const Budget&) {
  isDecidedByStates_ = true;
  isProvedFree_ = states.neverStuck;
  knownStuck_ = states.stuck;
  return isProvedFree_;
}

void DeadlockDetector::afterwards(const std::function<bool()>& isWhole, const Budget& budget) {
  if (knownStuck_) showStuck(*knownStuck_, budget);
  // The states say that there are stuck ones; the questions show more of them.
  if (!isDecidedByStates_ || isProvedFree_ || !isWhole()) return;
  check(budget);
}

/// Executes the schedule and goes on until nobody can; what the run shows is reported as of any run.
void DeadlockDetector::showStuck(const Schedule& schedule, const Budget& budget) {
  Runner& runner = strategy_.runner();
  uint64_t restarts = 0;
  do {
    restarts = runner.result().stats.restarts;
    ReplayScheduler scheduler(runner.names(), schedule);
    FixedInputs inputs(runner.names(), schedule.inputs, true);
    runner.run(scheduler, inputs, budget);
  } while (runner.result().stats.restarts != restarts && budget.check() == StopReason::None);
}

void DeadlockDetector::extend(std::vector<NodeId>& cycle, const Budget& budget) {
  const Forest& forest = strategy_.runner().forest();
  if (cycle.size() > 1 && waitsFor(cycle.back(), cycle.front())) decide(cycle, kNone, budget);
  if (stopped(budget)) return;
  constexpr size_t kLongestCycle = 8;
  if (cycle.size() == kLongestCycle) return;
  for (const NodeId next : requests_) {
    // Each cycle is entered at its smallest node.
    if (next <= cycle.front() || !waitsFor(cycle.back(), next)) continue;
    const ThreadId thread = forest[next].thread;
    if (std::any_of(cycle.begin(), cycle.end(), [&](NodeId n) { return forest[n].thread == thread; }))
      continue;
    cycle.push_back(next);
    extend(cycle, budget);
    cycle.pop_back();
    if (stopped(budget)) return;
  }
}

std::vector<PlaceId> DeadlockDetector::keyOf(const std::vector<NodeId>& waiting) const {
  std::vector<PlaceId> key;
  for (const NodeId n : waiting) key.push_back(strategy_.runner().forest()[n].place);
  std::sort(key.begin(), key.end());
  return key;
}

void DeadlockDetector::decide(const std::vector<NodeId>& waiting, NodeId holderEnd, const Budget& budget) {
  const Forest& forest = strategy_.runner().forest();
  Encoder& encoder = strategy_.encoder();
  const std::vector<PlaceId> key = keyOf(waiting);
  if (found_.count(key)) return;
  std::vector<Lit> literals;
  for (const NodeId n : waiting) {
    literals.push_back(encoder.reach(forest[n].parent, forest[n].slot));
    literals.push_back(-encoder.on(n));
  }
  if (holderEnd != kNone) literals.push_back(encoder.on(holderEnd));
  const Answer answer = strategy_.query(literals, budget);
  if (answer == Answer::Unsat) return;
  // Joins that a cancellation may end are not judged, which a bound says, but for runs in which none does.
  const bool isJudged =
      std::none_of(waiting.begin(), waiting.end(), [&](NodeId n) { return forest[n].timed; });
  if (answer == Answer::Sat && confirm(waiting, holderEnd, budget))
    found_.insert(key);
  else
    decided_ = decided_ && answer == Answer::Sat && !isJudged;
}

bool DeadlockDetector::confirm(const std::vector<NodeId>& waiting, NodeId holderEnd, const Budget& budget) {
  Runner& runner = strategy_.runner();
  const Forest& forest = runner.forest();
  ModelInputs inputs;
  std::vector<NodeId> plan = strategy_.modelPlan(inputs, {});
  const size_t length = plan.size();
  std::vector<ThreadId> threads;
  std::vector<PlaceId> places;
  for (const NodeId n : waiting) {
    threads.push_back(forest[n].thread);
    places.push_back(forest[n].place);
  }
  GuidedScheduler scheduler(forest, runner.builder(), std::move(plan), {});
  if (runner.follow(scheduler, inputs, budget) != Runner::Outcome::Merged || scheduler.diverged())
    return false;
  const RunResult& run = runner.lastRun();
  for (size_t i = 0; i < threads.size(); ++i)
    if (std::none_of(run.blocked.begin(), run.blocked.end(),
                     [&](const Event& e) { return e.thread == threads[i] && e.place == places[i]; }) ||
        run.cancelled.contains(threads[i]))
      return false;
  const size_t shown = std::min(length, run.trace.size());
  report_({waiting,
           holderEnd,
           scheduleOf(runner.names(), run.trace, shown, run.inputs),
           run.inputs,
           {run.trace.begin(), run.trace.begin() + static_cast<std::ptrdiff_t>(shown)}});
  return true;
}

}  // namespace heddle
