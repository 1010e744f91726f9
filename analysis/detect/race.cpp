#include "analysis/detect/race.h"

#include <algorithm>

#include "analysis/detect/happens_before.h"
#include "analysis/explore/run/guided_scheduler.h"
#include "analysis/interp/schedulers/replay.h"

namespace heddle {

namespace {
bool areConflicting(const Node& x, const Node& y) {
  if (x.thread == y.thread || !isMemoryAccess(x) || !isMemoryAccess(y) || areAtomic(x, y)) return false;
  return (isMemoryWrite(x) || isMemoryWrite(y)) && (x.section == kNone || y.section == kNone);
}
/// They conflict only where the second one, a compare-exchange, writes.
bool isUpToSecond(const Node& x, const Node& y) {
  return !isMemoryWrite(x) && y.writesIf != kNoTerm;
}

/// `id` is the event, lies in its atomic section, or comes behind it on a path of its thread.
bool isOrBehind(const Forest& forest, NodeId event, NodeId id) {
  const bool isInSection = forest[event].section != kNone && forest[id].section == forest[event].section;
  return forest[id].thread == forest[event].thread && (isInSection || forest.reaches(event, id));
}

constexpr size_t kMostPairs = 64;  // that are looked at in one run

/// Follows a schedule, then takes one event of each of two threads, with the rest of the atomic section that
/// it lies in, then goes on as it comes.
class RacyScheduler : public Scheduler {
 public:
  RacyScheduler(const Names& names, const RacySchedule& racy)
      : names_(names), replay_(names, racy.before), tail_{racy.first, racy.second} {}
  /// Takes none after it.
  RacyScheduler(const Names& names, const Schedule& schedule) : names_(names), replay_(names, schedule) {}

  std::optional<ThreadId> next(std::span<const Event* const> enabled) override {
    const size_t events = events_++;
    if (at_ == 0) {
      // The replay notices its end only when it is asked for what comes after it.
      const std::optional<ThreadId> replayed = replay_.next(enabled);
      if (!replay_.finished()) return replayed;
    }
    if (at_ > 0 && at_ <= tail_.size() && section_ != 0)
      for (const Event* event : enabled)
        if (names_.label(event->thread) == tail_[at_ - 1] && event->section == section_) return event->thread;
    begins_.push_back(events);
    if (at_ == tail_.size()) {
      section_ = 0;
      return enabled.front()->thread;
    }
    const std::string& label = tail_[at_++];
    for (const Event* event : enabled) {
      if (names_.label(event->thread) != label) continue;
      section_ = event->section;
      return event->thread;
    }
    return std::nullopt;
  }

  bool followed() const { return !begins_.empty() && replay_.divergence().empty(); }
  /// Where the events of the first thread begin, and those of the second; nothing when they were not
  /// executed.
  std::optional<std::pair<size_t, size_t>> begins() const {
    if (at_ != tail_.size() || !replay_.divergence().empty()) return std::nullopt;
    return std::pair(begins_[0], begins_[1]);
  }
  /// Behind the last event of the second, of `count` in all.
  size_t end(size_t count) const { return begins_.size() > 2 ? begins_[2] : count; }

 private:
  const Names& names_;
  ReplayScheduler replay_;
  const std::vector<std::string> tail_;
  size_t at_ = 0, events_ = 0;
  uint32_t section_ = 0;
  std::vector<size_t> begins_;
};

}  // namespace

bool RaceDetector::isLeft(NodeId node) const {
  Runner& runner = strategy_.runner();
  const Forest& forest = runner.forest();
  const NodeId section = forest[node].section;
  if (section == kNone) return true;
  for (NodeId at = runner.builder().position(forest[node].thread); at != kNone && at != node;
       at = forest[at].parent) {
    if (forest[at].kind == NodeKind::Event && forest[at].event == EventKind::End) return true;
    if (forest[at].kind == NodeKind::SectionEnd && forest[at].section == section) return true;
    // No paths meet within a section: what comes before the merge lies behind it.
    if (forest[at].kind == NodeKind::Merge) return true;
  }
  return false;
}

bool RaceDetector::show(const RacySchedule& racy, const Budget& budget) {
  Runner& runner = strategy_.runner();
  RacyScheduler scheduler(runner.names(), racy);
  const bool symbolic = runner.options().fixedInputs == nullptr;
  FixedInputs inputs(runner.names(), symbolic ? racy.before.inputs : *runner.options().fixedInputs, symbolic);
  if (runner.run(scheduler, inputs, budget) != Runner::Outcome::Merged) return false;
  const auto begins = scheduler.begins();
  const std::vector<NodeId>& executed = runner.builder().executed();
  const std::vector<TraceEntry>& whole = runner.lastRun().trace;
  if (!begins || executed.size() != whole.size()) return false;
  const size_t end = scheduler.end(executed.size());
  const Forest& forest = runner.forest();
  bool isShown = false;  // atomic sections may show several
  for (size_t i = begins->first; i < begins->second; ++i)
    for (size_t k = begins->second; k < end; ++k) {
      const NodeId a = executed[i], b = executed[k];
      const Node &x = forest[a], &y = forest[b];
      if (!areConflicting(x, y) || !(whole[i].wrote || whole[k].wrote) || !isLeft(a) || !isLeft(b)) continue;
      const auto cell = std::find_if(x.cells.begin(), x.cells.end(),
                                     [&](const NodeCell& c) { return cellAt(y, c.location) != nullptr; });
      if (cell == x.cells.end()) continue;
      const auto [low, high] = std::minmax(x.place, y.place);
      isShown = true;
      if (!found_.insert({runner.locations().cell(cell->location).object, low, high}).second) continue;
      const std::vector<TraceEntry> trace(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(end));
      report({a, b, cell->location, scheduleOf(runner.names(), trace, trace.size(), runner.lastRun().inputs),
              runner.lastRun().inputs, trace, kNone, false});
    }
  return isShown;
}

void RaceDetector::merged() {
  constexpr size_t kMostWaiting = 16;
  Runner& runner = strategy_.runner();
  const std::vector<NodeId>& executed = runner.builder().executed();
  const std::vector<TraceEntry>& whole = runner.lastRun().trace;
  if (executed.size() != whole.size()) return;
  const std::vector<UnorderedPair> pairs =
      unorderedPairs(happened(runner.forest(), executed, whole), kMostPairs);
  if (pairs.empty()) return;
  noteKeptApart(pairs);
  const UnorderedPair& pair = pairs.front();
  const TraceEntry &a = whole[pair.first], &b = whole[pair.second];
  if (observed_.size() == kMostWaiting || !tried_.insert(std::minmax(a.place, b.place)).second) return;
  std::vector<TraceEntry> before;
  for (const size_t index : pair.before) before.push_back(whole[index]);
  const Names& names = runner.names();
  observed_.push_back({scheduleOf(names, before, before.size(), runner.lastRun().inputs),
                       names.label(a.thread), names.label(b.thread)});
}

RaceDetector::Key RaceDetector::keyOf(const UnorderedPair& pair) const {
  const std::vector<TraceEntry>& trace = strategy_.runner().lastRun().trace;
  const auto [low, high] = std::minmax(trace[pair.first].place, trace[pair.second].place);
  return {strategy_.runner().locations().cell(pair.location).object, low, high};
}

void RaceDetector::noteKeptApart(const std::vector<UnorderedPair>& pairs) {
  Runner& runner = strategy_.runner();
  const std::vector<TraceEntry>& whole = runner.lastRun().trace;
  for (const UnorderedPair& pair : pairs) {
    // The other accesses to a flag say nothing that its own race does not.
    if (pair.flag == kNone || pair.flag == pair.location || keptApart_.contains(keyOf(pair))) continue;
    keptApart_[keyOf(pair)] = scheduleOf(runner.names(), whole, pair.second + 1, runner.lastRun().inputs);
  }
}

void RaceDetector::showKeptApart(const Budget& budget) {
  Runner& runner = strategy_.runner();
  const std::map<Key, Schedule> all = keptApart_;
  for (const auto& [key, schedule] : all) {
    if (found_.contains(key) || budget.check() != StopReason::None) continue;
    RacyScheduler scheduler(runner.names(), schedule);
    const bool symbolic = runner.options().fixedInputs == nullptr;
    FixedInputs inputs(runner.names(), symbolic ? schedule.inputs : *runner.options().fixedInputs, symbolic);
    const Runner::Outcome outcome = runner.run(scheduler, inputs, budget);
    // With what was learned the pair may be another one; the exploration is over.
    if (outcome == Runner::Outcome::Restarted) return;
    if (outcome != Runner::Outcome::Merged || !scheduler.followed()) continue;
    const std::vector<NodeId>& executed = runner.builder().executed();
    const std::vector<TraceEntry>& whole = runner.lastRun().trace;
    if (executed.size() != whole.size()) continue;
    for (const UnorderedPair& pair : unorderedPairs(happened(runner.forest(), executed, whole), kMostPairs)) {
      const NodeId a = executed[pair.first], b = executed[pair.second];
      if (pair.flag == kNone || keyOf(pair) != key || !isLeft(a) || !isLeft(b)) continue;
      const std::vector<TraceEntry> trace(whole.begin(),
                                          whole.begin() + static_cast<std::ptrdiff_t>(pair.second) + 1);
      found_.insert(key);
      report({a, b, pair.location, scheduleOf(runner.names(), trace, trace.size(), runner.lastRun().inputs),
              runner.lastRun().inputs, trace, pair.flag, pair.flagIsVolatile});
      break;
    }
  }
}

void RaceDetector::beforeQuestions(const Budget& budget) {
  while (!observed_.empty() && budget.check() == StopReason::None) {
    const RacySchedule racy = observed_.back();
    observed_.pop_back();
    show(racy, budget);
  }
}

bool RaceDetector::candidate(NodeId a, NodeId b) const {
  const Forest& forest = strategy_.runner().forest();
  const Node& x = forest[a];
  const Node& y = forest[b];
  if (x.thread == y.thread || areAtomic(x, y)) return false;
  if (!isMemoryWrite(x) && !isMemoryWrite(y)) return false;
  if (x.section != kNone && y.section != kNone) return false;
  for (const NodeId p : x.held)
    for (const NodeId q : y.held)
      if (forest[p].cells[0].location == forest[q].cells[0].location) return false;
  const Precedence& precedence = strategy_.encoder().precedence();
  return !precedence.always(a, b) && !precedence.always(b, a);
}

void RaceDetector::report(const Race& race) {
  const Forest& forest = strategy_.runner().forest();
  shown_.insert(std::minmax(forest[race.first].place, forest[race.second].place));
  report_(race);
}

bool RaceDetector::check(const Budget& budget) {
  return isDecided_ = decideAll(budget);
}

bool RaceDetector::decideByStates(const StateSearchResult& states, const Budget& budget) {
  Runner& runner = strategy_.runner();
  for (const auto& [places, schedule] : states.races)
    while (!shown_.contains(places) && budget.check() == StopReason::None) {
      const uint64_t restarts = runner.result().stats.restarts;
      show(schedule, budget);
      // A run that teaches what more is shared ends there; the next one goes on.
      if (runner.result().stats.restarts == restarts) break;
    }
  isDecided_ = std::all_of(states.races.begin(), states.races.end(),
                           [&](const auto& race) { return shown_.contains(race.first); });
  return isDecided_;
}

void RaceDetector::afterwards(const std::function<bool()>& isWhole, const Budget& budget) {
  if (isDecided_ && isWhole()) showKeptApart(budget);
}

bool RaceDetector::decideAll(const Budget& budget) {
  const Forest& forest = strategy_.runner().forest();
  std::map<LocationId, std::vector<NodeId>> accesses;
  for (NodeId id = 0; id < forest.size(); ++id)
    if (isMemoryAccess(forest[id]) && forest[id].executed)
      for (const NodeCell& cell : forest[id].cells) accesses[cell.location].push_back(id);
  bool decided = true;
  const uint64_t restarts = strategy_.runner().result().stats.restarts;
  for (const auto& [location, nodes] : accesses) {
    const ObjectId object = strategy_.runner().locations().cell(location).object;
    for (size_t i = 0; i < nodes.size(); ++i)
      for (size_t j = i + 1; j < nodes.size(); ++j) {
        const auto [low, high] = std::minmax(forest[nodes[i]].place, forest[nodes[j]].place);
        const Key key{object, low, high};
        if (found_.count(key) || !candidate(nodes[i], nodes[j])) continue;
        // Runs that confirm bring nodes; a question speaks of all that there are.
        const bool isBehind = strategy_.encoder().size() < forest.size();
        if (isBehind && !strategy_.encoder().update(budget)) return false;
        const std::vector<Lit> literals = question(nodes[i], nodes[j]);
        Answer answer = strategy_.query(literals, budget);
        bool isConfirmed = answer == Answer::Sat && confirm(nodes[i], nodes[j], location, budget);
        if (answer == Answer::Unsat) {
          answer = askRightBefore(nodes[i], nodes[j], key, budget);
          if (answer == Answer::Unsat) continue;
          isConfirmed = answer == Answer::Sat;
        }
        if (isConfirmed) found_.insert(key);
        // After a restart of the exploration the nodes at hand mean nothing any more.
        const bool isRestarted = strategy_.runner().result().stats.restarts != restarts || forest.size() == 0;
        if (isRestarted || (!isConfirmed && budget.check() != StopReason::None)) return false;
        decided &= isConfirmed;
      }
  }
  return decided;
}

NodeId RaceDetector::happening(NodeId a, NodeId b) const {
  const Forest& forest = strategy_.runner().forest();
  if (forest[a].section != kNone) return a;
  if (forest[b].section != kNone) return b;
  if (isUpToSecond(forest[a], forest[b])) return b;
  return isUpToSecond(forest[b], forest[a]) ? a : kNone;
}

std::vector<Lit> RaceDetector::question(NodeId a, NodeId b) {
  const Forest& forest = strategy_.runner().forest();
  RaceLiterals races = strategy_.encoder().races();
  const NodeId last = happening(a, b);
  if (last == kNone) return races.bothNext(a, b);
  const NodeId other = last == a ? b : a;
  return isUpToSecond(forest[last], forest[other]) ? races.rightAfter(last, other)
                                                   : races.nextBesideLast(last, other);
}

Answer RaceDetector::askRightBefore(NodeId a, NodeId b, const Key& key, const Budget& budget) {
  Runner& runner = strategy_.runner();
  const Forest& forest = runner.forest();
  if (forest[a].section == kNone) std::swap(a, b);
  if (forest[a].section == kNone || !isMemoryWrite(forest[b])) return Answer::Unsat;
  const Answer answer = strategy_.query(strategy_.encoder().races().rightBefore(a, b), budget);
  if (answer != Answer::Sat) return answer;
  ModelInputs inputs;
  std::vector<NodeId> plan = strategy_.modelPlan(inputs, {});
  std::erase_if(plan, [&](NodeId id) { return isOrBehind(forest, a, id) || isOrBehind(forest, b, id); });
  const std::string first = runner.names().label(forest[b].thread),
                    second = runner.names().label(forest[a].thread);
  GuidedScheduler scheduler(forest, runner.builder(), plan, {});
  if (runner.follow(scheduler, inputs, budget) != Runner::Outcome::Merged || scheduler.diverged() ||
      runner.lastRun().trace.size() < plan.size())
    return Answer::Unknown;
  const RacySchedule racy{
      scheduleOf(runner.names(), runner.lastRun().trace, plan.size(), runner.lastRun().inputs), first,
      second};
  return show(racy, budget) && found_.contains(key) ? Answer::Sat : Answer::Unknown;
}

bool RaceDetector::confirm(NodeId a, NodeId b, LocationId location, const Budget& budget) {
  ModelInputs inputs;
  const Forest& forest = strategy_.runner().forest();
  if (const NodeId last = happening(a, b); last != kNone) {
    const NodeId other = last == a ? b : a;
    // Without them, their sections, and what their threads do behind it.
    std::vector<NodeId> plan = strategy_.modelPlan(inputs, {});
    std::erase_if(plan,
                  [&](NodeId id) { return isOrBehind(forest, last, id) || isOrBehind(forest, other, id); });
    if (confirmInOrder(plan, inputs, last, other, location, budget)) return true;
    return forest.size() != 0 && forest[last].section == kNone &&
           confirmInOrder(plan, inputs, other, last, location, budget);
  }
  const ThreadId threads[] = {forest[a].thread, forest[b].thread};
  const std::vector<NodeId> plan = strategy_.modelPlan(inputs, threads);
  // Either order shows it; what a thread does after the first access may keep a run from the second.
  if (confirmInOrder(plan, inputs, a, b, location, budget)) return true;
  return forest.size() != 0 && confirmInOrder(plan, inputs, b, a, location, budget);
}

bool RaceDetector::confirmInOrder(const std::vector<NodeId>& plan, ModelInputs& inputs, NodeId a, NodeId b,
                                  LocationId location, const Budget& budget) {
  Runner& runner = strategy_.runner();
  const Forest& forest = runner.forest();
  GuidedScheduler scheduler(forest, runner.builder(), plan, {});
  scheduler.continueWith({forest[a].thread, forest[b].thread});
  if (runner.follow(scheduler, inputs, budget) != Runner::Outcome::Merged || scheduler.diverged())
    return false;
  const std::vector<TraceEntry>& whole = runner.lastRun().trace;
  if (scheduler.tailEnd() < plan.size() + 2 || whole.size() < scheduler.tailEnd()) return false;
  const std::vector<TraceEntry> trace(whole.begin(),
                                      whole.begin() + static_cast<std::ptrdiff_t>(scheduler.tailEnd()));
  // What was executed decides: the two accesses, one right after the other, or after the rest of the atomic
  // section that the first one lies in.
  const TraceEntry& y = trace.back();
  for (size_t i = plan.size(); i + 1 < trace.size(); ++i)
    if (trace[i].thread != forest[a].thread) return false;
  if (trace.size() > plan.size() + 2 && forest[a].section == kNone) return false;
  if (std::none_of(trace.begin() + static_cast<std::ptrdiff_t>(plan.size()), trace.end() - 1,
                   [&](const TraceEntry& x) { return x.place == forest[a].place && (x.wrote || y.wrote); }))
    return false;
  if (y.thread != forest[b].thread || y.place != forest[b].place || !isLeft(a)) return false;
  Race race{a,
            b,
            location,
            scheduleOf(runner.names(), trace, trace.size(), runner.lastRun().inputs),
            runner.lastRun().inputs,
            trace,
            kNone,
            false};
  report(race);
  return true;
}

}  // namespace heddle
