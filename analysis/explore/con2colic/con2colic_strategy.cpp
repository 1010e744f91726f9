#include "analysis/explore/con2colic/con2colic_strategy.h"

#include <algorithm>

#include "analysis/explore/con2colic/con2colic_scheduler.h"
#include "analysis/explore/formula/forest_formula.h"
#include "analysis/explore/run/guided_scheduler.h"

namespace heddle {

namespace {

// Scenarios that are answered at once, the same for any number of workers: few at first, for the last ones
// may be asked in vain, and enough for workers to be busy later.
constexpr size_t kMostAhead = 16;
constexpr uint64_t kAnsweredPerAhead = 16;

}  // namespace

void Con2colicStrategy::explore(const Budget& budget) {
  ExploreResult& result = runner_.result();
  countable_ = branchEdges(runner_.program());
  runner_.noteBranches(&edges_);
  do {
    restart();
    if (!learn(budget)) break;
    work(budget);
  } while (restarted_ && !ended_);
  runner_.noteBranches(nullptr);
  if (cut_)
    result.bounds.insert({BoundKind::Interferences, kNone, runner_.options().con2colic.maxInterferences});
  if (!runner_.builder().divergences().empty() && !result.problem)
    result.problem = runner_.whyMissed(runner_.builder().divergences().front());
  if (result.problem || result.stop != StopReason::None) result.complete = false;
}

void Con2colicStrategy::restart() {
  interferences_.clear();
  worklists_.clear();
  unrealized_.clear();
  waitingFor_.clear();
  dangling_.clear();
  proposed_.clear();
  sides_.clear();
  edges_.clear();
  paths_.clear();
  answers_.clear();
  degree_ = 0;
  cut_ = ended_ = restarted_ = false;
  runner_.result().complete = false;
  runner_.result().coverage.emplace().branches = countable_.size();
}

bool Con2colicStrategy::learn(const Budget& budget) {
  // One run of all threads in turns shows which objects they share. It is no part of the strategy.
  for (;;) {
    std::unique_ptr<InputSource> inputs = std::make_unique<ModelInputs>();
    GuidedScheduler inTurns(runner_.forest(), runner_.builder(), {}, {});
    switch (runner_.run(inTurns, *inputs, budget)) {
      case Runner::Outcome::Ended:
        return false;
      case Runner::Outcome::Restarted:
        continue;
      case Runner::Outcome::Merged:
        edges_.clear();
        return runner_.lastRun().unsupported.empty();
    }
  }
}

void Con2colicStrategy::work(const Budget& budget) {
  ExploreResult& result = runner_.result();
  push({{{}}, {}, {}, kMainThread});
  constexpr size_t kMostScenarios = 1'000'000;
  while (!ended_ && !restarted_ && !worklists_.empty()) {
    degree_ = worklists_.begin()->first;
    const std::optional<Scenario> next = take(degree_);
    if (!next) {
      worklists_.erase(degree_);
      continue;
    }
    ++result.coverage->scenarios;
    process(*next, budget);
    if (!ended_ && !restarted_ && !countable_.empty() && coveredBranches() == countable_.size()) {
      result.problem = {ProblemKind::Strategy, "every branch is covered, and con2colic looks no further"};
      break;
    }
    if (result.stop = budget.check(); result.stop != StopReason::None) ended_ = true;
    if (proposed_.size() + unrealized_.size() > kMostScenarios) {
      result.stop = StopReason::Memory;
      ended_ = true;
    }
    result.stats.openLeaves = 0;
    for (const auto& [degree, list] : worklists_)
      result.stats.openLeaves += list.urgent.size() + list.others.size();
    runner_.progress();
  }
  if (!ended_ && !restarted_ && !result.problem) result.complete = true;
}

std::optional<Scenario> Con2colicStrategy::take(uint32_t degree) {
  Worklist& list = worklists_[degree];
  while (!list.urgent.empty()) {
    Scenario next = std::move(list.urgent.front());
    list.urgent.pop_front();
    if (coversSomethingNew(next)) return next;
    list.others.push_back(std::move(next));
  }
  if (list.others.empty()) return std::nullopt;
  Scenario next = std::move(list.others.front());
  list.others.pop_front();
  return next;
}

bool Con2colicStrategy::coversSomethingNew(const Scenario& scenario) const {
  const Position at = scenario.sink().at;
  if (at.node == kNone) return true;
  const Node& n = runner_.forest()[at.node];
  if (n.kind != NodeKind::Branch) return !n.executed;
  return sides_.count({n.place, at.slot}) == 0;
}

void Con2colicStrategy::push(Scenario scenario) {
  const Con2colicOptions& options = runner_.options().con2colic;
  const uint32_t degree = scenario.degree();
  if (options.maxInterferences != 0 && degree > options.maxInterferences) {
    cut_ = true;
    return;
  }
  Worklist& list = worklists_[degree];
  (options.prioritized && coversSomethingNew(scenario) ? list.urgent : list.others)
      .push_back(std::move(scenario));
}

void Con2colicStrategy::propose(const Scenario& scenario) {
  for (Scenario& released : interferences_.untilReleased(scenario)) {
    if (runner_.options().con2colic.duplicateFree && !proposed_.insert(released.key()).second) continue;
    push(std::move(released));
  }
}

void Con2colicStrategy::dangling(const Scenario& scenario, ThreadPrefix sink) {
  const ThreadId thread = runner_.forest()[sink.at.node].thread;
  const Scenario causal = causalScenario(runner_.forest(), scenario, thread, std::move(sink));
  if (dangling_.insert(causal.key()).second) propose(causal);
}

NodeId Con2colicStrategy::lackingCause(const Scenario& scenario) const {
  const Forest& forest = runner_.forest();
  for (const ThreadPrefix& end : scenario.ends) {
    NodeId lacking = kNone;
    for (NodeId id = end.at.node; id != kNone; id = forest[id].parent) {
      const Node& n = forest[id];
      const bool needs =
          n.kind == NodeKind::Event &&
          (n.event == EventKind::Join || n.event == EventKind::Wake || n.event == EventKind::LockBusy);
      if (needs && scenario.causes.count(id) == 0) lacking = id;
    }
    if (lacking != kNone) return lacking;
  }
  return kNone;
}

void Con2colicStrategy::process(const Scenario& scenario, const Budget& budget) {
  if (const NodeId lacking = lackingCause(scenario); lacking != kNone) {
    postpone({scenario, {}, lacking});
    return;
  }
  auto known = answers_.extract(scenario.key());
  if (known.empty()) {
    answerAhead(scenario, budget);
    known = answers_.extract(scenario.key());
  }
  ++answered_;
  Con2colicAnswer& answered = known.mapped();
  runner_.result().stats.solver += answered.stats;
  if (answered.answer == Answer::Sat) {
    realize(scenario, std::move(answered.plan), answered.inputs, budget);
  } else if (answered.answer == Answer::Unsat) {
    ++runner_.result().coverage->unrealizable;
    postpone({scenario, std::move(answered.reads), kNone});
  } else {
    noteNoAnswer(runner_, answered.answer, answered.budget);
    ended_ = true;
  }
}

void Con2colicStrategy::answerAhead(const Scenario& first, const Budget& budget) {
  const size_t most = std::min<uint64_t>(kMostAhead, 1 + answered_ / kAnsweredPerAhead);
  std::vector<const Scenario*> asked = {&first};
  std::set<std::vector<uint64_t>> keys = {first.key()};
  const Worklist& list = worklists_[degree_];
  for (const std::deque<Scenario>* each : {&list.urgent, &list.others})
    for (size_t i = 0; i < each->size() && asked.size() < most; ++i) {
      const Scenario& next = (*each)[i];
      if (lackingCause(next) != kNone) continue;
      std::vector<uint64_t> key = next.key();
      if (answers_.contains(key) || !keys.insert(std::move(key)).second) continue;
      asked.push_back(&next);
    }
  const bool cores = runner_.options().con2colic.coreGuidance;
  std::vector<Con2colicAnswer> answers(asked.size());
  std::vector<Budget> budgets;
  for (size_t i = 0; i < asked.size(); ++i) budgets.push_back(budget.part(1));
  askSideBySide(runner_, asked.size(), [&](const FormulaParts& parts, size_t i) {
    answers[i] = answerTo(parts, *asked[i], cores, std::move(budgets[i]));
  });
  for (size_t i = 0; i < asked.size(); ++i) answers_.emplace(asked[i]->key(), std::move(answers[i]));
}

void Con2colicStrategy::postpone(Unrealized unrealized) {
  const Forest& forest = runner_.forest();
  std::set<Dependency> wanted;
  for (const auto& [read, location] : unrealized.reads) wanted.insert({Dependency::Kind::Write, location});
  if (unrealized.lacksCause != kNone) {
    const Node& n = forest[unrealized.lacksCause];
    if (n.event == EventKind::Join) wanted.insert({Dependency::Kind::End, n.other});
    if (n.event == EventKind::Wake) wanted.insert({Dependency::Kind::Signal, n.cells[0].location});
    if (n.event == EventKind::LockBusy) wanted.insert({Dependency::Kind::Lock, n.cells[0].location});
  }
  // Threads that stay in a critical section because nobody has seen its end.
  for (ThreadId t = 0; t < unrealized.scenario.ends.size(); ++t)
    if (t != unrealized.scenario.sinkThread && !heldAfter(forest, unrealized.scenario.ends[t]).empty())
      wanted.insert({Dependency::Kind::Release, t});
  if (wanted.empty()) return;  // no further interference can help
  for (const Dependency& dependency : wanted) {
    waitingFor_[dependency].push_back(unrealized_.size());
    if (dependency.kind != Dependency::Kind::Release) extend(unrealized, interferences_.offering(dependency));
  }
  unrealized_.push_back(std::move(unrealized));
}

void Con2colicStrategy::extend(const Unrealized& unrealized, const std::vector<size_t>& sources) {
  for (const size_t number : sources) {
    const InterferenceForest::Source& source = interferences_.source(number);
    if (source.offers.kind == Dependency::Kind::Release)
      propose(unrealized.scenario);
    else if (unrealized.lacksCause != kNone)
      giveCause(unrealized, source);
    else
      interfere(unrealized, source);
  }
}

void Con2colicStrategy::giveCause(const Unrealized& unrealized, const InterferenceForest::Source& source) {
  const Forest& forest = runner_.forest();
  const NodeId lacking = unrealized.lacksCause;
  if (forest[source.node].thread == forest[lacking].thread || contains(forest, source.scenario, lacking))
    return;
  std::optional<Scenario> both = merged(forest, unrealized.scenario, source.scenario);
  if (!both) return;
  both->causes[lacking] = source.node;
  propose(*both);
}

void Con2colicStrategy::interfere(const Unrealized& unrealized, const InterferenceForest::Source& source) {
  const Forest& forest = runner_.forest();
  const Node& write = forest[source.node];
  for (const auto& [read, location] : unrealized.reads) {
    if (location != source.offers.id || write.thread == forest[read].thread) continue;
    // The write must not depend on the read itself.
    if (source.scenario.interferences.count({read, location}) != 0 || contains(forest, source.scenario, read))
      continue;
    std::optional<Scenario> both = merged(forest, unrealized.scenario, source.scenario);
    if (!both) continue;
    for (const NodeCell& cell : forest[read].cells)
      if (cellAt(write, cell.location)) both->interferences.try_emplace({read, cell.location}, source.node);
    propose(*both);
  }
}

}  // namespace heddle
