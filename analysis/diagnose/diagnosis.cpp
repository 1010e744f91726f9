#include "analysis/diagnose/diagnosis.h"

#include <algorithm>
#include <chrono>

#include "analysis/detect/failure_finding.h"
#include "analysis/diagnose/explain.h"
#include "analysis/diagnose/extended_section.h"
#include "analysis/diagnose/interrupted_update.h"
#include "analysis/diagnose/nearest_passing.h"
#include "analysis/diagnose/plans.h"
#include "analysis/interp/schedulers/random.h"
#include "analysis/interp/schedulers/replay.h"
#include "analysis/plan_scope.h"

namespace heddle {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

NodeId findNode(Runner& runner, const std::vector<NodeId>& nodes, const DiagnosisSubject::At& where) {
  for (const NodeId node : nodes)
    if (DiagnosisSubject::at(runner, node) == where) return node;
  return kNone;
}

/// The two accesses, one right after the other if the execution has them so.
std::vector<NodeId> racingNodes(Runner& runner, const std::vector<NodeId>& order,
                                const std::vector<DiagnosisSubject::At>& racing) {
  for (size_t i = 1; i < order.size(); ++i)
    for (const size_t first : {0, 1})
      if (DiagnosisSubject::at(runner, order[i - 1]) == racing[first] &&
          DiagnosisSubject::at(runner, order[i]) == racing[1 - first])
        return {order[i - 1], order[i]};
  const NodeId a = findNode(runner, order, racing[0]), b = findNode(runner, order, racing[1]);
  if (a == kNone || b == kNone) return {};
  return {a, b};
}

LocationId commonLocation(const Forest& forest, NodeId a, NodeId b) {
  for (const NodeCell& cell : forest[a].cells)
    if (cellAt(forest[b], cell.location)) return cell.location;
  return kNone;
}

/// One diagnosis under way.
class Diagnosis {
 public:
  Diagnosis(const Program& program, Runner& runner, const FailingExecution& failing,
            const DiagnosisSubject& subject, const DiagnosisOptions& options, const Budget& budget,
            Finding& finding)
      : runner_(runner),
        failing_(failing),
        subject_(subject),
        options_(options),
        budget_(budget),
        finding_(finding),
        explanation_(finding.explanation.emplace()),
        view_(program, runner),
        events_(runner.forest()),
        formula_(runner.forest(), events_, runner.builder().initialValues(), runner.terms(), options.solver) {
  }

  void run() {
    const Clock::time_point started = Clock::now();
    if (!formula_.build(failing_.target, budget_)) {
      explanation_.problem = "the budget is spent";
      return;
    }
    CoreOptions coreOptions = options_.cores;
    // That both accesses happen needs no enumeration: one core says what it takes.
    if (subject_.kind == DiagnosisSubject::Kind::Race) coreOptions.maxCores = 1;
    cores_ = findCores(runner_, events_, formula_, failing_.execution, coreOptions, budget_);
    if (stale()) return;
    if (!options_.isWhole && failsAlways()) {
      // Some other path may pass.
      cores_.cores.clear();
      cores_.problem = "none of the executions that were looked at passes";
    }
    fillCores();
    explanation_.diagnoseSeconds = secondsSince(started);
    explain();
    makePlans();
    if (subject_.kind != DiagnosisSubject::Kind::Race && !cores_.cores.empty()) nearest();
  }

 private:
  bool failsAlways() const {
    return !cores_.cores.empty() && cores_.cores.front().orderings.empty() &&
           subject_.kind != DiagnosisSubject::Kind::Race;
  }
  bool stale() const { return runner_.forest().size() == 0; }

  void fillCores() {
    explanation_.allFailures = cores_.complete;
    explanation_.problem = cores_.problem;
    if (cores_.cores.empty()) {
      if (explanation_.problem.empty()) explanation_.problem = "the budget is spent";
      return;
    }
    const Core& first = cores_.cores.front();
    explanation_.orderings = static_cast<uint32_t>(first.softSize);
    explanation_.minimal = first.minimal;
    explanation_.failsAlways = failsAlways();
    for (const Core& core : cores_.cores)
      explanation_.cores.push_back(describeOrderings(view_, events_, core.failing, core.orderings));
    finding_.core = explanation_.cores.front();
  }

  void explain() {
    const ExplainedFailure failure{failing_.execution, failing_.nodes, subject_.kind, cores_.cores};
    explainFailure(view_, events_, failure, finding_);
  }

  void makePlans() {
    const Clock::time_point started = Clock::now();
    const PlanMaker maker(view_, events_, formula_.precedence());
    const bool deadlock = subject_.kind == DiagnosisSubject::Kind::Deadlock;
    finding_.plans =
        maker.forSynchronization(failing_.execution, deadlock ? failing_.nodes : std::vector<NodeId>());
    const auto add = [&](std::vector<RepairPlan> plans) {
      for (RepairPlan& plan : plans) finding_.plans.push_back(std::move(plan));
    };
    add(interruptedUpdates(view_, failing_.execution));
    if (finding_.kind == Property::Memory || finding_.kind == Property::Misuse)
      add(extendedSections(view_, failing_.nodes));
    if (finding_.kind == Property::Memory) add(maker.forLife(failing_.execution, failing_.nodes));
    if (subject_.kind == DiagnosisSubject::Kind::Race) {
      const LocationId location = commonLocation(runner_.forest(), failing_.nodes[0], failing_.nodes[1]);
      if (location != kNone) add(maker.forRace(failing_.nodes[0], failing_.nodes[1], location));
    } else {
      if (deadlock) add(maker.forDeadlock(failing_.nodes));
      std::vector<NodeId> waits;
      for (const NodeId node : failing_.execution.order)
        if (std::any_of(failing_.nodes.begin(), failing_.nodes.end(), [&](NodeId failed) {
              return runner_.forest()[failed].thread == runner_.forest()[node].thread;
            }))
          waits.push_back(node);
      add(maker.forWaits(waits));
      if (!cores_.cores.empty() && !explanation_.failsAlways) {
        CoverSearch search(runner_.forest(), events_, formula_.precedence(), cores_.cores);
        const CoverSet covers = search.run({}, budget_);
        for (const std::vector<Ordering>& killers : covers.killSets)
          explanation_.killers += static_cast<uint32_t>(killers.size());
        explanation_.elementary = static_cast<uint32_t>(covers.covers.size());
        explanation_.composite = !covers.exclusive.empty();
        PlanOptions planOptions;
        if (finding_.kind == Property::Assert) planOptions.check = finding_.place;
        add(maker.forCovers(covers, cores_.cores, planOptions));
      }
    }
    // What the text says first is what is right for all callers.
    std::stable_partition(finding_.plans.begin(), finding_.plans.end(),
                          [](const RepairPlan& plan) { return !isForOneCaller(plan) && !plan.isForCheck; });
    explanation_.planSeconds = secondsSince(started);
  }

  void nearest() {
    if (explanation_.failsAlways) return;
    std::optional<NearestPassing> found =
        findNearestPassing(runner_, events_, formula_, cores_.cores.front(), {}, budget_);
    if (stale() || !found) return;
    PassingExecution& passing = explanation_.passing.emplace();
    passing.schedule = found->execution.schedule.toString();
    passing.steps = describeShownSteps(view_.program(), runner_.names(), found->execution.trace);
    passing.changed = describeOrderings(view_, events_, failing_.execution, found->changed);
    passing.fewest = found->fewest;
  }

  Runner& runner_;
  const FailingExecution& failing_;
  const DiagnosisSubject& subject_;
  const DiagnosisOptions& options_;
  const Budget& budget_;
  Finding& finding_;
  Explanation& explanation_;
  SourceView view_;
  SourceEvents events_;
  ExecutionFormula formula_;
  CoreSet cores_;
};

}  // namespace

namespace {

// Without merging, a forest may be too large for the budget. Then a small one has to do, in which questions
// are quick; what is proved holds for the executions that it knows.

/// Executes each finding's schedule, and others with its inputs. So a small forest has the failing execution,
/// knows all that it shares, and has what it is to be compared with.
void runFindings(Runner& runner, const std::vector<DiagnosisSubject>& subjects, const Budget& budget) {
  const bool isSymbolic = runner.options().fixedInputs == nullptr;
  // A run that teaches what is shared has emptied the forest: all are executed again. There is an end to
  // what is shared.
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < subjects.size() && !again; ++i) {
      const Schedule& schedule = subjects[i].schedule;
      for (uint64_t seed = 0; seed <= budget.tuning().diagnosisRuns && !again; ++seed) {
        ReplayScheduler replay(runner.names(), schedule);
        RandomScheduler random(seed);
        Scheduler& scheduler = seed == 0 ? static_cast<Scheduler&>(replay) : random;
        FixedInputs inputs(runner.names(), schedule.inputs, isSymbolic);
        const Runner::Outcome outcome = runner.run(scheduler, inputs, budget);
        if (outcome == Runner::Outcome::Ended) return;
        again = outcome == Runner::Outcome::Restarted;
      }
    }
  }
}

void restrict(Explanation& explanation, uint64_t executions) {
  explanation.allFailures = false;
  if (explanation.passing) explanation.passing->fewest = false;
  explanation.amongExecutions = executions;
}

}  // namespace

std::optional<FailingExecution> failingExecution(Runner& runner, const DiagnosisSubject& subject,
                                                 const Budget& budget) {
  std::optional<RecordedExecution> execution = followSchedule(runner, subject.schedule, budget);
  if (!execution) return std::nullopt;
  const Forest& forest = runner.forest();
  FailingExecution failing{std::move(*execution), {}, {}};
  const auto addGroup = [&](NodeId node, bool stuck) {
    failing.nodes.push_back(node);
    FailureTarget::Group& group = failing.target.groups.emplace_back();
    group.stuck = stuck;
    // The same operation of the thread on any of its paths.
    for (NodeId id = 0; id < forest.size(); ++id)
      if (forest[id].kind == NodeKind::Event && forest[id].thread == forest[node].thread &&
          forest[id].place == forest[node].place && forest[id].event == forest[node].event)
        group.nodes.push_back(id);
  };
  switch (subject.kind) {
    case DiagnosisSubject::Kind::Failure: {
      FailureTarget::Group& group = failing.target.groups.emplace_back();
      for (const auto& [end, failure] : runner.builder().failedEnds()) {
        if (failure.kind != subject.failure || failure.place != subject.place) continue;
        group.nodes.push_back(end);
      }
      // The first one: others may fail in the same place after it.
      const std::vector<NodeId>& order = failing.execution.order;
      const auto first = std::find_if(order.begin(), order.end(), [&](NodeId node) {
        return std::find(group.nodes.begin(), group.nodes.end(), node) != group.nodes.end();
      });
      if (first != order.end()) failing.nodes.push_back(*first);
      break;
    }
    case DiagnosisSubject::Kind::Deadlock:
      for (const DiagnosisSubject::At& where : subject.waiting) {
        const NodeId node = findNode(runner, failing.execution.blocked, where);
        if (node == kNone) return std::nullopt;
        addGroup(node, true);
      }
      break;
    case DiagnosisSubject::Kind::Other:
      return std::nullopt;
    case DiagnosisSubject::Kind::Race:
      for (const NodeId node : racingNodes(runner, failing.execution.order, subject.racing))
        addGroup(node, false);
      break;
  }
  if (failing.nodes.empty()) return std::nullopt;
  return failing;
}

bool isDiagnosable(Runner& runner) {
  if (!runner.result().complete) return false;
  const Forest& forest = runner.forest();
  for (NodeId id = 0; id < forest.size(); ++id)
    if (forest[id].kind == NodeKind::Merge) return false;
  return true;
}

void diagnoseAll(const Program& program, Runner* explored, ExploreOptions exploreOptions,
                 bool everyAccessIsEvent, const std::vector<DiagnosisSubject>& subjects,
                 DiagnosisOptions options, const Budget& budget, std::vector<Finding>& findings) {
  if (findings.empty()) return;
  const ExploreCallbacks callbacks;
  std::unique_ptr<Runner> own;
  if (!explored) {
    exploreOptions.mergePaths = false;
    const auto makeOwn = [&] {
      own = std::make_unique<Runner>(program, exploreOptions, everyAccessIsEvent, callbacks);
    };
    makeOwn();
    Budget whole = budget.part(&Tuning::wholeDiagnosis);
    ForestStrategy(*own).explore(
        whole.withSteps(std::min(whole.stepLimit(), budget.tuning().wholeDiagnosisSteps)));
    options.isWhole = own->result().complete;
    if (own->result().stop != StopReason::None) {
      Budget small = budget.part(&Tuning::smallDiagnosis);
      makeOwn();
      runFindings(*own, subjects, small);
      ForestStrategy(*own).explore(
          small.withSteps(std::min(small.stepLimit(), budget.tuning().smallDiagnosisSteps)));
    }
    explored = own.get();
  }
  for (size_t i = 0; i < findings.size() && budget.check() == StopReason::None; ++i) {
    const Budget part = budget.part(1.0 / static_cast<double>(findings.size() - i));
    const bool goesOn = diagnose(program, *explored, subjects[i], options, part, findings[i]);
    if (!options.isWhole) restrict(*findings[i].explanation, explored->result().stats.executions);
    if (!goesOn) break;
  }
  for (Finding& finding : findings)
    if (!finding.explanation && budget.check() != StopReason::None)
      finding.explanation.emplace().problem = "the budget is spent";
}

bool diagnose(const Program& program, Runner& runner, const DiagnosisSubject& subject,
              const DiagnosisOptions& options, const Budget& budget, Finding& finding) {
  if (subject.kind == DiagnosisSubject::Kind::Other) {
    finding.explanation.emplace().problem = "findings of this kind are shown, not explained";
    return true;
  }
  const std::optional<FailingExecution> failing = failingExecution(runner, subject, budget);
  if (!failing) {
    finding.explanation.emplace().problem =
        budget.check() == StopReason::None ? "the schedule could not be followed in the exploration's terms"
                                           : "the budget is spent";
    return runner.forest().size() != 0;
  }
  Diagnosis(program, runner, *failing, subject, options, budget, finding).run();
  return runner.forest().size() != 0;
}

}  // namespace heddle
