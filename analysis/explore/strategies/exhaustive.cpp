#include "analysis/explore/strategies/exhaustive.h"

#include <algorithm>
#include <unordered_set>

#include "analysis/explore/forest/local_paths.h"

namespace heddle {

namespace {

uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
  return hash ^ (hash >> 29);
}

/// Watches a run and keeps a fingerprint of the state it is in.
class StateWatcher : public ForestBuilder {
 public:
  using ForestBuilder::ForestBuilder;

  void beginRun(InputSource& inputs) {
    begin(inputs);
    histories_.clear();
    memory_.clear();
    conditions_.clear();
  }

  uint64_t fingerprint() const {
    uint64_t hash = 1;
    for (const auto& [thread, history] : histories_) hash = mix(mix(hash, thread), history);
    for (const auto& [location, value] : memory_) hash = mix(mix(hash, location), value);
    for (const auto& [location, history] : conditions_) hash = mix(mix(hash, location), history);
    return hash;
  }

  void start(const Event& e, Value& v) override { note(e), ForestBuilder::start(e, v); }
  void end(const Event& e) override { note(e), ForestBuilder::end(e); }
  void lock(const Event& e) override { note(e), ForestBuilder::lock(e); }
  void unlock(const Event& e) override { note(e), ForestBuilder::unlock(e); }
  void create(const Event& e, const Value& v) override { note(e), ForestBuilder::create(e, v); }
  void join(const Event& e) override { note(e), ForestBuilder::join(e); }
  void tryLock(const Event& e, bool acquired) override {
    note(e, acquired);
    ForestBuilder::tryLock(e, acquired);
  }
  void read(const Event& e, std::span<Value> values) override {
    for (const Value& v : values) note(e, v.bits);
    ForestBuilder::read(e, values);
  }
  void write(const Event& e, std::span<const Value> values) override {
    note(e);
    remember(e, values);
    ForestBuilder::write(e, values);
  }
  void condition(const Event& e) override {
    note(e);
    // Who can wake depends on the order of all that happened to the condition variable.
    uint64_t& history = conditions_[e.cells[0]];
    history = mix(mix(history, e.thread), static_cast<uint64_t>(e.kind));
    ForestBuilder::condition(e);
  }
  void sectionEnd(ThreadId thread) override {
    histories_[thread] = mix(histories_[thread], 1);
    ++sectionsLeft_;
    ForestBuilder::sectionEnd(thread);
  }
  bool lastUpdateWrote() const { return lastUpdateWrote_; }
  /// How many atomic sections were left.
  uint64_t sectionsLeft() const { return sectionsLeft_; }
  void restored(LocationId location, const Value& value) override { memory_[location] = value.bits; }
  void beginUpdate(const Event& e, std::span<Value> values) override {
    for (const Value& v : values) note(e, v.bits);
    ForestBuilder::beginUpdate(e, values);
  }
  void endUpdate(const Event& e, std::span<const Value> values) override {
    lastUpdateWrote_ = hasWritten(e);
    remember(e, values);
    ForestBuilder::endUpdate(e, values);
  }

 private:
  void note(const Event& e, uint64_t value = 0) {
    uint64_t& history = histories_[e.thread];
    history = mix(mix(mix(history, static_cast<uint64_t>(e.kind)), e.operation), value);
  }
  void remember(const Event& e, std::span<const Value> values) {
    for (size_t i = 0; i < values.size(); ++i) memory_[e.cells[i]] = values[i].bits;
  }

  std::map<ThreadId, uint64_t> histories_;
  std::map<LocationId, uint64_t> memory_;
  std::map<LocationId, uint64_t> conditions_;
  uint64_t sectionsLeft_ = 0;
  bool lastUpdateWrote_ = false;
};

bool conflict(const Event& a, const Event& b) {
  return areConflicting(a, b) &&
         std::find_first_of(a.cells.begin(), a.cells.end(), b.cells.begin(), b.cells.end()) != a.cells.end();
}

/// They conflict only if the update writes, which its execution tells.
bool isUpToUpdate(const Event& a, const Event& b) {
  return (a.kind == EventKind::Read && b.kind == EventKind::Update) ||
         (a.kind == EventKind::Update && b.kind == EventKind::Read);
}

class DepthFirst : public Scheduler {
 public:
  explicit DepthFirst(const StateWatcher& watcher) : watcher_(watcher) {}

  /// Pairs of places whose accesses were both next in some state.
  const std::set<std::pair<PlaceId, PlaceId>>& races() const { return races_; }

  void beginRun() {
    depth_ = 0;
    others_.clear();
    inside_.clear();
    upToUpdate_.clear();
    upToNext_.clear();
    thread_ = kNone;
  }

  std::optional<ThreadId> next(std::span<const Event* const> enabled) override {
    // Within an atomic section the others stand where they stood when it began.
    const bool inside = thread_ != kNone && section_ != 0 && enabled.size() == 1 &&
                        enabled.front()->thread == thread_ && enabled.front()->section == section_;
    endUpdate();
    if (inside)
      noteInside(*enabled.front());
    else
      endSection(enabled);
    const std::optional<ThreadId> chosen = pick(enabled);
    if (!chosen || inside) return chosen;
    if (const auto up = upToNext_.find(*chosen); up != upToNext_.end()) upToUpdate_.swap(up->second);
    upToNext_.clear();
    others_.clear();
    const Event* event = nullptr;
    for (const Event* e : enabled)
      if (e->thread == *chosen)
        event = e;
      else
        others_.push_back(*e);
    section_ = event->section;
    thread_ = *chosen;
    sectionsLeft_ = watcher_.sectionsLeft();
    if (section_ != 0 || event->kind == EventKind::Update) noteInside(*event);
    return chosen;
  }

  /// A compare-exchange that failed has written nothing.
  void endUpdate() {
    if (watcher_.lastUpdateWrote()) inside_.insert(upToUpdate_.begin(), upToUpdate_.end());
    upToUpdate_.clear();
  }

  /// A section that was not left counts as not begun: its accesses race with nobody.
  /// `enabled`: what comes next; a thread that ends the process in it has left it.
  void endSection(std::span<const Event* const> enabled) {
    const bool ends = std::any_of(enabled.begin(), enabled.end(),
                                  [&](const Event* e) { return e->thread == thread_ && e->endsProcess; });
    if (section_ == 0 || ends || watcher_.sectionsLeft() != sectionsLeft_)
      races_.insert(inside_.begin(), inside_.end());
    else
      upToNext_.clear();
    inside_.clear();
  }

  std::optional<ThreadId> pick(std::span<const Event* const> enabled) {
    if (depth_ < points_.size()) return points_[depth_++].current();
    if (!visited_.insert(watcher_.fingerprint()).second) return std::nullopt;
    Point point;
    for (const Event* e : enabled) point.threads.push_back(e->thread);
    for (const Event* a : enabled)
      for (const Event* b : enabled)
        if (a->thread < b->thread && a->section == 0 && b->section == 0 && conflict(*a, *b) &&
            !isUpToUpdate(*a, *b))
          races_.insert(std::minmax(a->place, b->place));
    points_.push_back(std::move(point));
    ++depth_;
    return points_.back().current();
  }

  /// Moves to the next unexplored schedule; false when there is none.
  bool advance() {
    while (!points_.empty() && ++points_.back().at == points_.back().threads.size()) points_.pop_back();
    return !points_.empty();
  }

  void restart() {
    points_.clear();
    visited_.clear();
  }

 private:
  struct Point {
    std::vector<ThreadId> threads;
    size_t at = 0;
    ThreadId current() const { return threads[at]; }
  };
  void noteInside(const Event& event) {
    for (const Event& other : others_) {
      if (!conflict(event, other)) continue;
      const std::pair<PlaceId, PlaceId> places = std::minmax(event.place, other.place);
      if (!isUpToUpdate(event, other))
        inside_.insert(places);
      else if (event.kind == EventKind::Update)
        upToUpdate_.insert(places);
      else if (section_ != 0)
        upToNext_[other.thread].insert(places);
    }
  }

  const StateWatcher& watcher_;
  std::vector<Event> others_;  // that were next when the atomic section of `thread_` began
  ThreadId thread_ = kNone;    // that was chosen last
  uint32_t section_ = 0;       // of its event
  std::vector<Point> points_;
  size_t depth_ = 0;
  std::unordered_set<uint64_t> visited_;
  using Places = std::set<std::pair<PlaceId, PlaceId>>;
  Places races_;
  Places inside_;                        // of the section that `thread_` is in
  Places upToUpdate_;                    // if the update that comes next writes
  std::map<ThreadId, Places> upToNext_;  // the same of another thread's update behind the section
  uint64_t sectionsLeft_ = 0;            // when it began
};

}  // namespace

std::string placePair(const Program& program, PlaceId a, PlaceId b) {
  auto text = [&](PlaceId place) {
    const Place& p = program.place(place);
    return std::to_string(p.line) + ":" + std::to_string(p.column);
  };
  const std::string first = text(a), second = text(b);
  return std::min(first, second) + " " + std::max(first, second);
}

ExhaustiveResult exploreExhaustively(const Program& program, FunctionId entry,
                                     const std::vector<std::map<std::string, std::vector<int64_t>>>& inputs,
                                     const Budget& budget, bool symbolicInputs, bool valueForks) {
  ExhaustiveResult result;
  Names names(program.pointerBits());
  TermTable terms;
  Locations locations;
  Forest forest;
  StateWatcher watcher(forest, {names, terms, locations});
  watcher.setMerging(false);
  watcher.setValueForks(valueForks);
  DepthFirst scheduler(watcher);
  MachineOptions options;
  options.entry = entry;
  options.maxEvents = 20'000;
  options.recordTrace = false;
  for (size_t assignment = 0; assignment < inputs.size();) {
    FixedInputs source(names, inputs[assignment], symbolicInputs);
    watcher.beginRun(source);
    scheduler.beginRun();
    Machine machine({program, names, terms, locations}, options, scheduler, watcher, budget);
    const RunResult run = machine.run();
    scheduler.endSection({});
    ++result.executions;
    budget.spend(run.events + 1);
    if (run.outcome == RunOutcome::Relearned) {
      locations.restart();
      watcher.reset();
      scheduler.restart();
      result.failures.clear();
      result.stuck = false;
      assignment = 0;
      continue;
    }
    if (run.outcome == RunOutcome::Quiescent) watcher.finish();
    for (const Failure& failure : run.failures) {
      const Place& place = program.place(failure.place);
      result.failures.insert(std::to_string(place.line) + ":" + std::to_string(place.column) + " " +
                             failure.message);
    }
    if (run.outcome == RunOutcome::Quiescent && run.stuck) result.stuck = true;
    if (run.outcome == RunOutcome::Unsupported || run.outcome == RunOutcome::OutOfBudget) {
      result.problem = run.outcome == RunOutcome::Unsupported ? run.unsupported : "out of budget";
      break;
    }
    if (scheduler.advance()) continue;
    scheduler.restart();
    ++assignment;
    result.complete = assignment == inputs.size();
  }
  if (!watcher.divergences().empty()) {
    result.complete = false;
    result.problem = watcher.divergences().front();
  }
  for (const auto& [a, b] : scheduler.races()) result.races.insert(placePair(program, a, b));
  result.localPaths = localPaths(forest, names, program);
  result.globalPaths = globalPaths(forest, watcher.paths(), names, program);
  return result;
}

}  // namespace heddle
