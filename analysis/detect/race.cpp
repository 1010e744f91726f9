#include "analysis/detect/race.h"

#include <algorithm>

#include "analysis/explore/guided_scheduler.h"
#include "analysis/interp/schedulers/replay.h"

namespace heddle {

namespace {
bool isAccess(const Node& n) {
  return isMemoryRead(n) || isMemoryWrite(n);
}
/// Follows a schedule, then takes one event of each of two threads, then goes on as it comes.
class RacyScheduler : public Scheduler {
 public:
  RacyScheduler(const Names& names, const RacySchedule& racy)
      : names_(names), replay_(names, racy.before), tail_{racy.first, racy.second} {}

  std::optional<ThreadId> next(std::span<const Event* const> enabled) override {
    ++events_;
    // The replay notices its end only when it is asked for what comes after it.
    const std::optional<ThreadId> replayed = at_ == 0 ? replay_.next(enabled) : std::nullopt;
    if (at_ == 0 && !replay_.finished()) return replayed;
    if (at_ == tail_.size()) return enabled.front()->thread;
    if (at_ == 0) before_ = events_ - 1;
    const std::string& label = tail_[at_++];
    for (const Event* event : enabled)
      if (names_.label(event->thread) == label) return event->thread;
    return std::nullopt;
  }

  /// Events before the two; nothing when they were not executed.
  std::optional<size_t> before() const {
    return at_ == tail_.size() && replay_.divergence().empty() ? std::optional(before_) : std::nullopt;
  }

 private:
  const Names& names_;
  ReplayScheduler replay_;
  const std::vector<std::string> tail_;
  size_t at_ = 0, events_ = 0, before_ = 0;
};

}  // namespace

bool RaceDetector::show(const RacySchedule& racy, const Budget& budget) {
  Runner& runner = strategy_.runner();
  RacyScheduler scheduler(runner.names(), racy);
  ModelInputs none;
  if (runner.run(scheduler, none, budget) != Runner::Outcome::Merged) return false;
  const std::optional<size_t> before = scheduler.before();
  const std::vector<NodeId>& executed = runner.builder().executed();
  const std::vector<TraceEntry>& whole = runner.lastRun().trace;
  if (!before || executed.size() < *before + 2 || whole.size() < *before + 2) return false;
  const Forest& forest = runner.forest();
  const NodeId a = executed[*before], b = executed[*before + 1];
  const Node &x = forest[a], &y = forest[b];
  const bool conflict = x.thread != y.thread && isAccess(x) && isAccess(y) && !(x.atomic && y.atomic) &&
                        (isMemoryWrite(x) || isMemoryWrite(y));
  if (!conflict || (x.section != kNone && y.section != kNone)) return false;
  for (const NodeCell& cell : x.cells) {
    if (!cellAt(y, cell.location)) continue;
    const auto [low, high] = std::minmax(x.place, y.place);
    if (!found_.insert({runner.locations().cell(cell.location).object, low, high}).second) return true;
    const std::vector<TraceEntry> trace(whole.begin(),
                                        whole.begin() + static_cast<std::ptrdiff_t>(*before + 2));
    report_({a, b, cell.location, scheduleOf(runner.names(), trace, trace.size(), runner.lastRun().inputs),
             runner.lastRun().inputs, trace});
    return true;
  }
  return false;
}

bool RaceDetector::candidate(NodeId a, NodeId b) const {
  const Forest& forest = strategy_.runner().forest();
  const Node& x = forest[a];
  const Node& y = forest[b];
  if (x.thread == y.thread || (x.atomic && y.atomic)) return false;
  if (!isMemoryWrite(x) && !isMemoryWrite(y)) return false;
  if (x.section != kNone && y.section != kNone) return false;
  for (const NodeId p : x.held)
    for (const NodeId q : y.held)
      if (forest[p].cells[0].location == forest[q].cells[0].location) return false;
  const Precedence& precedence = strategy_.encoder().precedence();
  return !precedence.always(a, b) && !precedence.always(b, a);
}

bool RaceDetector::check(const Budget& budget) {
  const Forest& forest = strategy_.runner().forest();
  std::map<LocationId, std::vector<NodeId>> accesses;
  for (NodeId id = 0; id < forest.size(); ++id)
    if (isAccess(forest[id]) && forest[id].executed)
      for (const NodeCell& cell : forest[id].cells) accesses[cell.location].push_back(id);
  bool decided = true;
  for (const auto& [location, nodes] : accesses) {
    const ObjectId object = strategy_.runner().locations().cell(location).object;
    for (size_t i = 0; i < nodes.size(); ++i)
      for (size_t j = i + 1; j < nodes.size(); ++j) {
        const auto [low, high] = std::minmax(forest[nodes[i]].place, forest[nodes[j]].place);
        const Key key{object, low, high};
        if (found_.count(key) || !candidate(nodes[i], nodes[j])) continue;
        const std::vector<Lit> literals = strategy_.encoder().bothNext(nodes[i], nodes[j]);
        const Answer answer = strategy_.query(literals, budget);
        if (answer == Answer::Unsat) continue;
        if (answer != Answer::Sat || !confirm(nodes[i], nodes[j], location, budget)) {
          decided = false;
          // After a restart of the exploration the nodes at hand mean nothing any more.
          if (budget.check() != StopReason::None || forest.size() == 0) return false;
          continue;
        }
        found_.insert(key);
      }
  }
  return decided;
}

bool RaceDetector::confirm(NodeId a, NodeId b, LocationId location, const Budget& budget) {
  ModelInputs inputs;
  const Forest& forest = strategy_.runner().forest();
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
  std::unique_ptr<InputSource> fixed;
  if (runner.options().fixedInputs)
    fixed = std::make_unique<FixedInputs>(runner.names(), *runner.options().fixedInputs);
  if (runner.run(scheduler, fixed ? *fixed : inputs, budget) != Runner::Outcome::Merged ||
      scheduler.diverged())
    return false;
  const std::vector<TraceEntry>& whole = runner.lastRun().trace;
  if (scheduler.tailEnd() < plan.size() + 2 || whole.size() < scheduler.tailEnd()) return false;
  const std::vector<TraceEntry> trace(whole.begin(),
                                      whole.begin() + static_cast<std::ptrdiff_t>(scheduler.tailEnd()));
  // What was executed decides: the two accesses, one right after the other, or after the rest of the atomic
  // section that the first one lies in.
  const TraceEntry& x = trace[plan.size()];
  const TraceEntry& y = trace.back();
  for (size_t i = plan.size(); i + 1 < trace.size(); ++i)
    if (trace[i].thread != forest[a].thread) return false;
  if (trace.size() > plan.size() + 2 && forest[a].section == kNone) return false;
  if (x.thread != forest[a].thread || x.place != forest[a].place || y.thread != forest[b].thread ||
      y.place != forest[b].place)
    return false;
  Race race{a,
            b,
            location,
            scheduleOf(runner.names(), trace, trace.size(), runner.lastRun().inputs),
            runner.lastRun().inputs,
            trace};
  report_(race);
  return true;
}

}  // namespace heddle
