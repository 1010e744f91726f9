// Stuck states: runs that end with threads that wait for ever, and the query for those that no run has met.
#include <algorithm>

#include "analysis/detect/deadlock.h"
#include "analysis/explore/run/guided_scheduler.h"

namespace heddle {

namespace {

bool isIn(const std::vector<NodeId>& nodes, NodeId node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

/// Also one that tries again and again.
bool waitsForMutex(const Node& n) {
  return n.event == EventKind::Lock || n.event == EventKind::LockBusy;
}

bool waitsForThread(const Node& n) {
  return waitsForMutex(n) || n.event == EventKind::Join;
}

}  // namespace

void DeadlockDetector::stuck(const StuckRun& run) {
  const Forest& forest = strategy_.runner().forest();
  // Whom of the others each one waits for.
  std::vector<std::vector<NodeId>> blockers(run.waiting.size());
  for (size_t i = 0; i < run.waiting.size(); ++i) {
    const Node& n = forest[run.waiting[i]];
    if (!waitsForThread(n)) continue;
    for (const NodeId other : run.waiting)
      if (waitsFor(run.waiting[i], other)) blockers[i].push_back(other);
  }
  // A cycle among them is the reason; else those that wait for none of the others.
  std::vector<NodeId> reason;
  for (size_t i = 0; i < run.waiting.size() && reason.empty(); ++i) {
    std::vector<NodeId> path;
    for (NodeId at = run.waiting[i]; at != kNone;) {
      if (isIn(path, at)) {
        path.erase(path.begin(), std::find(path.begin(), path.end(), at));
        reason = path;
        break;
      }
      path.push_back(at);
      const auto index =
          static_cast<size_t>(std::find(run.waiting.begin(), run.waiting.end(), at) - run.waiting.begin());
      at = blockers[index].empty() ? kNone : blockers[index].front();
    }
  }
  if (reason.empty())
    for (size_t i = 0; i < run.waiting.size(); ++i)
      if (blockers[i].empty()) reason.push_back(run.waiting[i]);
  Deadlock deadlock;
  deadlock.waiting = reason;
  for (const NodeId waiting : reason)
    for (const NodeId end : run.ended)
      if (waitsForMutex(forest[waiting]) && holds(end, forest[waiting].cells[0].location))
        deadlock.holderEnd = end;
  if (!found_.insert(keyOf(reason)).second) return;
  deadlock.schedule = run.schedule;
  deadlock.inputs = run.inputs;
  deadlock.trace = run.trace;
  report_(deadlock);
}

void DeadlockDetector::decideStuck(const Budget& budget) {
  // So may the runs that confirm what was asked so far.
  if (!strategy_.encoder().update(budget)) {
    decided_ = false;
    return;
  }
  const StuckLiterals stuck = strategy_.encoder().stuck();
  askStuck(stuck, budget);
  // Other questions are about executions in which nobody lets go of a mutex without an unlock.
  strategy_.solver().addClause({-stuck.all});
}

void DeadlockDetector::askStuck(const StuckLiterals& stuck, const Budget& budget) {
  constexpr size_t kEnough = 8;  // of one program; the verdict needs one
  Solver& solver = strategy_.solver();
  if (stuck.waiting.empty()) return;
  for (size_t i = 0; i < kEnough && !stopped(budget); ++i) {
    const Lit question[] = {stuck.all, -stuck.onlySureWays};
    const Answer answer = strategy_.query(question, budget);
    if (answer == Answer::Unsat) return askUnsureWays(stuck, budget);
    if (answer != Answer::Sat) {
      decided_ = false;
      return;
    }
    // Next time another set of threads, or of places.
    std::vector<Lit> other{-stuck.all};
    for (const auto& [node, waits] : stuck.waiting)
      if (solver.modelValue(waits)) other.push_back(-waits);
    if (!confirmStuck(stuck, budget)) {
      decided_ = false;
      if (strategy_.runner().forest().size() == 0) return;
    }
    solver.addClause(other);
  }
}

void DeadlockDetector::askUnsureWays(const StuckLiterals& stuck, const Budget& budget) {
  if (!stuck.hasUnsureWays) return;
  const Lit question[] = {stuck.all, stuck.onlySureWays};
  if (strategy_.query(question, budget) == Answer::Unsat) return;
  decided_ = false;
  Problem& problem = strategy_.runner().result().problem;
  if (!problem)
    problem = {ProblemKind::Strategy,
               "whether some inputs lead a thread out of a loop that waits is not decided where memory or an "
               "assumption decides with them"};
}

bool DeadlockDetector::confirmStuck(const StuckLiterals& stuck, const Budget& budget) {
  Runner& runner = strategy_.runner();
  const Forest& forest = runner.forest();
  ModelInputs inputs;
  std::vector<NodeId> plan = strategy_.modelPlan(inputs, {});
  // Who lets go of a mutex in each round stands where it would take it again; the rest of the round is
  // silent.
  for (const auto& [lock, letsGo] : stuck.lettingGo)
    if (strategy_.solver().modelValue(letsGo))
      std::erase_if(plan, [&, first = lock](NodeId id) {
        return forest[id].thread == forest[first].thread && forest.reaches(first, id);
      });
  const bool takesInputs = std::any_of(stuck.takingInputs.begin(), stuck.takingInputs.end(),
                                       [&](Lit stays) { return strategy_.solver().modelValue(stays); });
  GuidedScheduler scheduler(forest, runner.builder(), std::move(plan), {});
  // The runner tells of the stuck run itself, unless the run cannot know that it is one.
  if (runner.follow(scheduler, inputs, budget) != Runner::Outcome::Merged || scheduler.diverged() ||
      runner.lastRun().outcome != RunOutcome::Quiescent)
    return false;
  if (runner.lastRun().stuck) return true;
  if (!takesInputs || !runner.lastRun().stuckUnlessInputs) return false;
  runner.reportStuck();
  return true;
}

}  // namespace heddle
