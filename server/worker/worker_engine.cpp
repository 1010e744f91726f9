// The engine's functions as requests to a worker.
#include <algorithm>
#include <chrono>

#include "server/worker/wire.h"
#include "server/worker/worker_pool.h"

namespace heddle {
namespace {

WireBudget wireOf(const Budget& budget) {
  WireBudget wire;
  if (budget.deadline()) {
    const auto left = *budget.deadline() - Budget::Clock::now();
    wire.milliseconds =
        std::max<int64_t>(0, std::chrono::duration_cast<std::chrono::milliseconds>(left).count());
  }
  wire.steps = budget.stepLimit() == Budget::kUnlimitedSteps
                   ? budget.stepLimit()
                   : budget.stepLimit() - std::min(budget.stepLimit(), budget.spent());
  wire.memory = budget.memoryLimit();
  return wire;
}

const char* const kGarbled = "the exploration's answer could not be read";

/// What the worker sent; where it sent nothing that can be read, an empty T that says why in `problem`.
template <typename T>
T answerOf(const WorkerPool::Outcome& outcome, std::string T::*problem) {
  T answer;
  if (outcome.body && wire::unpack(*outcome.body, answer)) return answer;
  answer = T();
  answer.*problem = outcome.body ? kGarbled : outcome.problem;
  return answer;
}

/// What is known of an exploration that ended without a report.
Report reportWithout(const Snapshot& snapshot, const Options& options, std::vector<Finding> findings,
                     const std::string& problem) {
  Report report;
  report.file = snapshot.path;
  report.entry = options.entry;
  report.strategy = options.strategy;
  for (const Property property : options.properties) report.properties[property] = Verdict::Incomplete;
  for (const Finding& finding : findings) report.properties[finding.kind] = Verdict::Violated;
  report.verdict = findings.empty() ? Verdict::Incomplete : Verdict::Violated;
  report.findings = std::move(findings);
  report.problem = problem;
  report.problemKind = ProblemKind::Ours;
  return report;
}

}  // namespace

Engine engineThrough(Engine local, const Ask& ask) {
  Engine engine = std::move(local);
  engine.analyze = [ask](const Snapshot& snapshot, const Options& options, const Budget& budget,
                         const Observer& observer) {
    std::vector<Finding> findings;
    const auto hear = [&](const Frame& frame) {
      Finding finding;
      Progress progress;
      if (frame.kind == FrameKind::Finding && wire::unpack(frame.body, finding)) {
        observer.finding(finding);
        findings.push_back(std::move(finding));
      } else if (frame.kind == FrameKind::Progress && wire::unpack(frame.body, progress)) {
        observer.progress(progress);
      }
    };
    const WorkerPool::Outcome outcome =
        ask(FrameKind::Analyze, wire::packed(snapshot, options, wireOf(budget)), snapshot.path, budget, hear);
    Report report;
    if (outcome.body && wire::unpack(*outcome.body, report)) return report;
    return reportWithout(snapshot, options, std::move(findings), outcome.body ? kGarbled : outcome.problem);
  };
  engine.replay = [ask](const Snapshot& snapshot, const Options& options, const std::string& schedule,
                        const Budget& budget) {
    const WorkerPool::Outcome outcome =
        ask(FrameKind::Replay, wire::packed(snapshot, options, wireOf(budget), schedule), snapshot.path,
            budget, [](const Frame&) {});
    return answerOf(outcome, &ReplayResult::error);
  };
  if (engine.replayEach)
    engine.replayEach = [ask](const Snapshot& snapshot, const Options& options,
                              const std::vector<std::string>& schedules, const Budget& budget,
                              const std::function<void(size_t, const ReplayResult&)>& seen) {
      const auto hear = [&](const Frame& frame) {
        size_t index = 0;
        ReplayResult result;
        if (frame.kind == FrameKind::Seen && wire::unpack(frame.body, index, result)) seen(index, result);
      };
      ask(FrameKind::ReplayEach, wire::packed(snapshot, options, wireOf(budget), schedules), snapshot.path,
          budget, hear);
    };
  if (engine.repair)
    engine.repair = [ask](const Snapshot& snapshot, const Options& options, const Report& report,
                          const std::string& only, const Budget& budget) {
      const WorkerPool::Outcome outcome =
          ask(FrameKind::Repair, wire::packed(snapshot, options, wireOf(budget), report, only), snapshot.path,
              budget, [](const Frame&) {});
      RepairResult result;
      if (outcome.body && wire::unpack(*outcome.body, result)) return result;
      result = RepairResult();
      result.outOfBudget = true;
      result.rejected.push_back({only, "", outcome.body ? kGarbled : outcome.problem});
      return result;
    };
  // What is made of an answer without a result has a problem instead.
  const auto native = [](const WorkerPool::Outcome& outcome) {
    return answerOf(outcome, &NativeProgram::problem);
  };
  if (engine.reproducer)
    engine.reproducer = [ask, native](const Snapshot& snapshot, const Options& options,
                                      const std::string& schedule, Property kind, const Budget& budget) {
      return native(ask(FrameKind::Reproduce, wire::packed(snapshot, options, wireOf(budget), schedule, kind),
                        snapshot.path, budget, [](const Frame&) {}));
    };
  if (engine.enforced)
    engine.enforced = [ask, native](const Snapshot& snapshot, const Options& options, const Prefix& prefix) {
      return native(ask(FrameKind::Enforced, wire::packed(snapshot, options, prefix.constraints),
                        snapshot.path, Budget(), [](const Frame&) {}));
    };
  if (engine.constrain)
    engine.constrain = [ask](const Snapshot& snapshot, const Options& options, const Budget& budget) {
      const WorkerPool::Outcome outcome =
          ask(FrameKind::Constrain, wire::packed(snapshot, options, wireOf(budget)), snapshot.path, budget,
              [](const Frame&) {});
      return answerOf(outcome, &Enforcement::problem);
    };
  if (engine.cover)
    engine.cover = [ask](const Snapshot& snapshot, const Options& options, const Budget& budget,
                         const CoverObserver& observer) {
      const auto hear = [&](const Frame& frame) {
        CoverProgress progress;
        if (frame.kind == FrameKind::Progress && wire::unpack(frame.body, progress) && observer)
          observer(progress);
      };
      const WorkerPool::Outcome outcome =
          ask(FrameKind::Cover, wire::packed(snapshot, options, wireOf(budget)), snapshot.path, budget, hear);
      return answerOf(outcome, &CoverReport::problem);
    };
  return engine;
}

Engine lookingThrough(Engine engine, const Ask& ask) {
  if (!engine.harnesses) return engine;
  engine.harnesses = [ask](const Snapshot& snapshot, const std::string& entry, const Budget& budget) {
    const WorkerPool::Outcome outcome =
        ask(FrameKind::Harnesses, wire::packed(snapshot, entry, wireOf(budget)), snapshot.path, budget,
            [](const Frame&) {});
    return answerOf(outcome, &HarnessPlan::problem);
  };
  return engine;
}

Engine engineInWorkers(Engine local, std::shared_ptr<WorkerPool> pool) {
  Engine engine = engineThrough(std::move(local),
                                [pool](FrameKind kind, const std::string& body, const std::string& path,
                                       const Budget& budget, const std::function<void(const Frame&)>& hear) {
                                  return pool->ask(kind, body, path, budget, hear);
                                });
  engine.residentMemory = [pool] { return pool->residentMemory(); };
  return engine;
}

}  // namespace heddle
