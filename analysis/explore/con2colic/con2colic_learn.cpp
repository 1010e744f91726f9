// What the runs of `con2colic` teach: new scenarios from the branches that were passed, new writes for
// scenarios that could not be realized, coverage.
#include <algorithm>

#include "analysis/explore/con2colic/con2colic_scheduler.h"
#include "analysis/explore/con2colic/con2colic_strategy.h"

namespace heddle {

void Con2colicStrategy::realize(const Scenario& scenario, std::vector<NodeId> plan, ModelInputs& inputs,
                                const Budget& budget) {
  ExploreResult& result = runner_.result();
  Con2colicScheduler scheduler(runner_.forest(), runner_.builder(), plan, scenario.sinkThread);
  const size_t failures = result.witnesses.size();
  const Runner::Outcome outcome = runner_.run(scheduler, inputs, budget);
  restarted_ = outcome == Runner::Outcome::Restarted;
  ended_ = outcome == Runner::Outcome::Ended || !runner_.lastRun().unsupported.empty();
  if (restarted_ || ended_) return;
  for (size_t i = failures; i < result.witnesses.size(); ++i)
    result.coverage->firstFinding.push_back(result.stats.executions);
  noteCoverage();
  std::string problem = scheduler.divergence();
  if (problem.empty() && !scheduler.planDone()) problem = "a run ended before its plan";
  const GlobalPath path = runner_.builder().positions();
  if (paths_.insert(path).second) ++result.paths;
  Position end = scenario.sinkThread < path.size() ? path[scenario.sinkThread] : Position{};
  if (problem.empty() && !follows(runner_.forest(), end, scenario.sink()) && !wentRoundBehind(scenario))
    problem = "a run did not reach the branch it was made for";
  if (!problem.empty()) {
    if (!result.problem) result.problem = runner_.whyMissed(problem);
    return;
  }
  if (end.node == kNone) return;
  // Where the thread stands, as a node; an unforeseen update was executed to know it.
  NodeId before = kNone;
  if (scheduler.overran()) {
    before = runner_.builder().lastEvent(scenario.sinkThread);
    end = {runner_.forest()[before].parent, runner_.forest()[before].slot};
  } else {
    for (const Event& event : runner_.lastRun().pending)
      if (event.thread == scenario.sinkThread) before = runner_.builder().notePending(event);
  }
  Scenario reached = scenario;
  reached.setEnd(scenario.sinkThread, {ThreadPrefix::End::Observed, end, {}});
  noteCauses(reached, plan,
             scenario.sink().at.node == kNone ? 0 : runner_.forest()[scenario.sink().at.node].depth);
  proposeDuals(reached, scenario.sink(), end);
  proposeAwaited(reached, end);
  if (before != kNone) dangling(reached, upTo(before));
  for (const size_t number : interferences_.add(reached, reached.sinkThread, scenario.sink())) {
    const auto waiting = waitingFor_.find(interferences_.source(number).offers);
    if (waiting == waitingFor_.end()) continue;
    // Taking in one may make others wait.
    const std::vector<size_t> now = waiting->second;
    for (const size_t waits : now) extend(unrealized_[waits], {number});
  }
}

void Con2colicStrategy::noteCauses(Scenario& scenario, const std::vector<NodeId>& plan, uint32_t fromDepth) {
  const Forest& forest = runner_.forest();
  for (NodeId id = scenario.sink().at.node; id != kNone && forest[id].depth >= fromDepth;
       id = forest[id].parent) {
    const Node& n = forest[id];
    if (n.kind != NodeKind::Event || scenario.causes.count(id) != 0) continue;
    NodeId cause = kNone;
    for (const NodeId planned : plan) {
      const Node& p = forest[planned];
      if (p.thread == n.thread) continue;
      const bool creates = n.event == EventKind::Start && p.event == EventKind::Create && p.other == n.thread;
      const bool ends = n.event == EventKind::Join && p.event == EventKind::End && p.thread == n.other;
      const bool signals = n.event == EventKind::Wake &&
                           (p.event == EventKind::Signal || p.event == EventKind::Broadcast) &&
                           p.cells[0].location == n.cells[0].location;
      const bool holds = n.event == EventKind::LockBusy && p.event == EventKind::Lock &&
                         p.cells[0].location == n.cells[0].location;
      if (creates || ends || signals || holds) cause = planned;
    }
    if (cause != kNone) scenario.causes[id] = cause;
  }
}

void Con2colicStrategy::proposeDuals(const Scenario& scenario, const ThreadPrefix& from, Position end) {
  const Forest& forest = runner_.forest();
  std::vector<Position> passed;
  uint64_t slot = end.slot;
  for (NodeId id = end.node; id != kNone; slot = forest[id].slot, id = forest[id].parent) {
    passed.push_back({id, slot});
    if (id == from.at.node) break;
  }
  std::reverse(passed.begin(), passed.end());
  for (const Position& at : passed) {
    const Node& n = forest[at.node];
    const bool isSink = at.node == from.at.node;
    if (n.kind == NodeKind::Branch) {
      sides_.insert({n.place, at.slot});
      const bool holds = n.role == BranchRole::Assume && at.slot == 1;
      if (!holds && !isSink) dangling(scenario, {ThreadPrefix::End::Deviation, {at.node, 1 - at.slot}, {}});
    } else if (n.kind == NodeKind::Choice) {
      ThreadPrefix others{ThreadPrefix::End::Deviation, {at.node, 0}, {}};
      if (isSink) others.excluded = from.excluded;
      others.excluded.push_back(at.slot);
      dangling(scenario, std::move(others));
    } else if (n.kind == NodeKind::TryLock && !isSink) {
      if (const NodeId other = forest.child(at.node, 1 - at.slot); other != kNone)
        dangling(scenario, upTo(other));
    } else if (n.kind == NodeKind::Event && n.event == EventKind::Create && !isSink) {
      // The thread that it makes is run alone first, as the others are at the beginning.
      Scenario created = causalScenario(forest, scenario, n.thread, upTo(at.node));
      created.sinkThread = n.other;
      created.setEnd(n.other, {});
      if (dangling_.insert(created.key()).second) propose(created);
    }
  }
}

bool Con2colicStrategy::wentRoundBehind(const Scenario& scenario) const {
  const Forest& forest = runner_.forest();
  const std::set<Forest::Await> awaits = forest.awaits();
  return std::any_of(awaits.begin(), awaits.end(), [&](const Forest::Await& await) {
    return await.thread == scenario.sinkThread && await.node != kNone &&
           follows(forest, {await.node, await.slot}, scenario.sink());
  });
}

void Con2colicStrategy::proposeAwaited(const Scenario& scenario, Position end) {
  // A thread that goes round in a loop: the round is no part of its path, the ways out of it are branches.
  const Forest& forest = runner_.forest();
  const std::set<Forest::Await> awaits = forest.awaits();
  for (const Forest::Await& await : awaits) {
    if (await.thread != scenario.sinkThread || await.node == kNone) continue;
    const Position around{await.node, await.slot};
    if (!follows(forest, around, {ThreadPrefix::End::Observed, end, {}})) continue;
    proposeDuals(scenario, {ThreadPrefix::End::Observed, end, {}}, around);
  }
}

void Con2colicStrategy::noteCoverage() {
  BranchCoverage& coverage = *runner_.result().coverage;
  if (coverage.byDegree.size() <= degree_) coverage.byDegree.resize(degree_ + 1);
  uint64_t before = 0;
  for (const uint64_t branches : coverage.byDegree) before += branches;
  coverage.byDegree[degree_] += coveredBranches() - before;
}

uint64_t Con2colicStrategy::coveredBranches() const {
  return static_cast<uint64_t>(std::count_if(edges_.begin(), edges_.end(),
                                             [&](const auto& edge) { return countable_.count(edge) != 0; }));
}

std::set<std::pair<uint32_t, uint32_t>> branchEdges(const Program& program) {
  std::set<std::pair<uint32_t, uint32_t>> edges;
  for (FunctionId id = 0; id < program.functions.size(); ++id) {
    const Function& function = program.functions[id];
    if (!function.defined || id == program.startup || id == program.shutdown) continue;
    for (uint32_t pc = function.entry; pc < function.end; ++pc) {
      const Instruction& in = program.code[pc];
      if (in.op == Opcode::Branch) {
        edges.emplace(pc, in.b);
        edges.emplace(pc, in.c);
      } else if (in.op == Opcode::Switch) {
        const SwitchTable& table = program.switches[in.b];
        edges.emplace(pc, table.defaultTarget);
        for (const auto& [key, to] : table.cases) edges.emplace(pc, to);
      }
    }
  }
  return edges;
}

}  // namespace heddle
