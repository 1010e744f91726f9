#include "analysis/enforce/native_plan.h"

#include <algorithm>
#include <map>
#include <optional>

namespace heddle {

namespace {

using Entry = ReplayLog::Entry;

/// Functions that only a verifier defines.
bool isInputFunction(std::string_view name) {
  for (const std::string_view family :
       {"__VERIFIER_nondet_", "heddle_input", "nondet_", "__ESBMC_nondet_", "__SMACK_nondet_"})
    if (name.starts_with(family)) return true;
  return false;
}

class Planner {
 public:
  Planner(const ReplayRun& run, const ReplayLog& log, const std::vector<Site>& sites, bool isRace,
          bool isDeadlock)
      : run_(run), log_(log), sites_(sites), isRace_(isRace), isDeadlock_(isDeadlock) {}

  NativePlan plan() {
    if (!isRace_ && !isDeadlock_) failing_ = log_.failed;
    takeEvents();
    addThreads();
    chooseEnds();
    chooseSites();
    addSteps();
    markUnfinished();
    addWaits();
    addInputs();
    return std::move(plan_);
  }

 private:
  /// Nothing counts that happens after what the plan is for.
  void takeEvents() {
    size_t end = log_.events.size();
    const auto last = [&](const auto& is) {
      while (end > 0 && !is(log_.events[end - 1].event)) --end;
    };
    if (failing_) last([&](const Event& e) { return e.thread == *failing_; });
    if (isRace_) last([&](const Event& e) { return e.thread == run_.lastAccess.thread && isAccess(e); });
    for (size_t i = 0; i < end; ++i) events_.push_back(log_.events[i]);
  }

  static bool isAccess(const Event& e) {
    return e.kind == EventKind::Read || e.kind == EventKind::Write || e.kind == EventKind::Update;
  }

  void addThread(ThreadId id) {
    if (index_.count(id)) return;
    const ThreadName& name = run_.names->threadName(id);
    if (name.parent != kNone) addThread(name.parent);
    index_[id] = static_cast<uint32_t>(plan_.threads.size());
    ids_.push_back(id);
    NativeThread& thread = plan_.threads.emplace_back();
    thread.name = run_.names->label(id);
    thread.parent = name.parent == kNone ? 0 : index_[name.parent];
    thread.ordinal = name.parent == kNone ? 0 : name.ordinal;
  }

  void addThreads() {
    addThread(kMainThread);
    for (const Entry& entry : events_) {
      addThread(entry.event.thread);
      if (entry.event.kind == EventKind::Create && entry.event.other != kNone) addThread(entry.event.other);
    }
    for (const Event& event : run_.result.blocked)
      if (isDeadlock_) addThread(event.thread);
    if (failing_) addThread(*failing_);
  }

  NativeThread& thread(ThreadId id) { return plan_.threads[index_.at(id)]; }

  /// How many of its sites the thread has passed with what counts.
  uint32_t& needed(ThreadId id) { return needed_[id]; }

  void chooseEnds() {
    for (const Entry& entry : events_) {
      const Event& e = entry.event;
      needed(e.thread) = std::max(needed(e.thread), entry.passed);
      // Who returns from main or exits ends the process: not before the plan is done.
      if (e.kind == EventKind::End && !e.endsProcess && e.thread != kMainThread)
        thread(e.thread).end = NativeEnd::Free;
    }
    if (failing_) {
      const std::vector<uint32_t>& passed = passedBy(*failing_);
      const FailureKind kind = run_.result.failures.back().kind;
      thread(*failing_).end = NativeEnd::Fails;
      needed(*failing_) = static_cast<uint32_t>(passed.size());
      // The last place it came to is the access, or the call, that fails.
      if (kind == FailureKind::Memory || kind == FailureKind::Misuse)
        thread(*failing_).end = NativeEnd::Faults;
    }
    const bool meets = isRace_ && isLastOfThread(run_.accessBefore);
    if (isRace_ && !meets) thread(run_.lastAccess.thread).end = NativeEnd::Overlaps;
    if (meets)
      for (const Event* access : {&run_.accessBefore, &run_.lastAccess})
        thread(access->thread).end = NativeEnd::Races;
    if (isDeadlock_)
      for (const Event& event : run_.result.blocked) {
        const auto& rounds = run_.result.awaited;
        const bool looks = std::any_of(rounds.begin(), rounds.end(),
                                       [&](const Event& e) { return e.thread == event.thread; });
        thread(event.thread).end = looks ? NativeEnd::Spins : NativeEnd::Stuck;
        needed(event.thread) = static_cast<uint32_t>(passedBy(event.thread).size());
      }
  }

  bool isSame(const Event& a, const Event& b) const {
    return a.thread == b.thread && a.operation == b.operation && a.kind == b.kind;
  }

  /// The thread does nothing behind it that others can tell: the racing accesses can be made at one time.
  bool isLastOfThread(const Event& event) const {
    for (size_t i = events_.size(); i-- > 0;)
      if (events_[i].event.thread == event.thread) return isSame(events_[i].event, event);
    return false;
  }

  const std::vector<uint32_t>& passedBy(ThreadId id) const {
    static const std::vector<uint32_t> none;
    const auto it = log_.sites.find(id);
    return it == log_.sites.end() ? none : it->second;
  }

  void chooseSites() {
    const auto choose = [&](ThreadId id, uint32_t passed) {
      if (passed > 0 && passed <= passedBy(id).size()) plan_.sites.insert(passedBy(id)[passed - 1]);
    };
    for (const Entry& entry : events_)
      if (entry.event.kind != EventKind::Start) choose(entry.event.thread, entry.passed);
    for (const ReplayLog::Input& input : log_.inputs) choose(input.thread, input.passed);
    for (const ThreadId id : ids_) {
      const NativeEnd end = thread(id).end;
      if (end == NativeEnd::Stuck || end == NativeEnd::Spins || end == NativeEnd::Faults)
        choose(id, needed(id));
    }
    // What gives inputs gives them from the plan, wherever it is called.
    std::set<std::string> givers;
    for (const ReplayLog::Input& input : log_.inputs) {
      if (!input.isResult || input.passed == 0) continue;
      const Site& site = sites_[passedBy(input.thread)[input.passed - 1]];
      if (site.isScalarInput && !isConditionWait(site)) givers.insert(site.callee);
    }
    for (uint32_t site = 0; site < sites_.size(); ++site)
      if (givers.count(sites_[site].callee) || isInputFunction(sites_[site].callee)) {
        plan_.sites.insert(site);
        plan_.inputs.insert(site);
      }
    // The process must not end before the plan does.
    for (uint32_t site = 0; site < sites_.size(); ++site)
      if (!sites_[site].returns) plan_.sites.insert(site);
  }

  void addSteps() {
    for (const ThreadId id : ids_) {
      const std::vector<uint32_t>& passed = passedBy(id);
      std::vector<uint32_t>& steps = stepOf_[id];
      steps.assign(needed(id) + 1, kNone);
      for (uint32_t i = 0; i < needed(id) && i < passed.size(); ++i) {
        if (!plan_.sites.count(passed[i])) continue;
        steps[i + 1] = static_cast<uint32_t>(thread(id).steps.size());
        thread(id).steps.emplace_back().site = passed[i];
      }
    }
  }

  /// Who has come to no other site since its last event is still in the call that the event is of.
  void markUnfinished() {
    for (const Event& pending : run_.result.pending) {
      const ThreadId id = pending.thread;
      if (!index_.count(id) || thread(id).steps.empty() || pending.kind == EventKind::End) continue;
      NativeStep& last = thread(id).steps.back();
      const std::vector<uint32_t>& passed = passedBy(id);
      if (needed(id) == passed.size() && passed.back() == last.site &&
          sites_[last.site].kind == SiteKind::Call)
        last.unfinished = true;
    }
  }

  /// The step in which the thread stood after so many passed sites; kNone: before the first, or in none.
  uint32_t stepAt(ThreadId id, uint32_t passed) const {
    const std::vector<uint32_t>& steps = stepOf_.at(id);
    return passed < steps.size() ? steps[passed] : kNone;
  }

  void addWaits() {
    // The run as stretches of one thread: the first step of each waits for the last of the one before.
    struct Done {
      ThreadId thread = kNone;
      uint32_t step = kNone;
    };
    std::map<std::pair<ThreadId, uint32_t>, size_t> lastEvent;
    for (size_t i = 0; i < events_.size(); ++i) lastEvent[{events_[i].event.thread, events_[i].passed}] = i;
    std::set<std::pair<ThreadId, uint32_t>> begun;
    Done previous;
    size_t previousEvent = 0;
    for (size_t i = 0; i < events_.size(); ++i) {
      const Event& e = events_[i].event;
      const uint32_t step = stepAt(e.thread, events_[i].passed);
      if (e.kind == EventKind::Start || e.kind == EventKind::End || step == kNone) continue;
      NativeStep& taken = thread(e.thread).steps[step];
      if (isRace_ && isSame(e, run_.accessBefore)) taken.notesAddress = true;
      if (e.kind == EventKind::Lock && isConditionWait(sites_[taken.site])) taken.emulated = true;
      const bool isFirst = begun.insert({e.thread, step}).second;
      if (previous.thread != kNone && previous.thread != e.thread) {
        const bool isOver = lastEvent[{previous.thread, events_[previousEvent].passed}] == previousEvent;
        if (!isOver) thread(previous.thread).steps[previous.step].splits = true;
        const uint32_t tick = 2 * previous.step + (isOver ? 2 : 1);
        (isFirst ? taken.before : taken.resume).push_back({index_.at(previous.thread), tick});
        if (!isFirst) taken.splits = true;
      }
      previous = {e.thread, step};
      previousEvent = i;
    }
    // Whoever ends the plan comes to its last step when all others are where they belong.
    const auto ends = [&](ThreadId id) {
      NativeThread& last = thread(id);
      if (last.steps.empty() || previous.thread == kNone || previous.thread == id) return;
      last.steps.back().before.push_back({index_.at(previous.thread), 2 * previous.step + 2});
    };
    if (failing_ && thread(*failing_).end == NativeEnd::Faults) ends(*failing_);
    if (isDeadlock_)
      for (const Event& event : run_.result.blocked) {
        // A call that is under way has begun before.
        const ThreadId id = event.thread;
        if (!begun.count({id, static_cast<uint32_t>(thread(id).steps.size()) - 1})) ends(id);
      }
    for (NativeThread& each : plan_.threads)
      for (NativeStep& step : each.steps)
        if (step.splits && sites_[step.site].kind == SiteKind::Call &&
            sites_[step.site].callee.starts_with("llvm.mem"))
          plan_.notes.push_back("the copy at line " + std::to_string(sites_[step.site].place.line) +
                                " is interrupted in the schedule; a native one is not");
  }

  void addInputs() {
    for (const ReplayLog::Input& input : log_.inputs) {
      if (!index_.count(input.thread)) continue;
      const uint32_t step = stepAt(input.thread, input.passed);
      if (step == kNone) {
        if (input.passed <= needed(input.thread) && input.value != 0)
          plan_.notes.push_back("'" + input.name + "' comes from no call, so its value cannot be given");
        continue;
      }
      NativeStep& taken = thread(input.thread).steps[step];
      const Site& site = sites_[taken.site];
      const bool takesValue =
          site.kind == SiteKind::Call ? input.isResult || isConditionWait(site) : input.memoryOperation != 0;
      if (site.kind == SiteKind::Call && input.memoryOperation) continue;  // a wait that ends by itself
      if (!takesValue || taken.hasInput) {
        plan_.notes.push_back("'" + input.name + "' is not the result of one call, so its value (" +
                              std::to_string(input.value) + ") cannot be given");
        continue;
      }
      taken.hasInput = true;
      taken.fillsMemory = input.memoryOperation != 0;
      taken.input = input.value;
    }
  }

  const ReplayRun& run_;
  const ReplayLog& log_;
  const std::vector<Site>& sites_;
  const bool isRace_, isDeadlock_;
  std::optional<ThreadId> failing_;
  std::vector<Entry> events_;
  std::map<ThreadId, uint32_t> index_;
  std::vector<ThreadId> ids_;
  std::map<ThreadId, uint32_t> needed_;
  std::map<ThreadId, std::vector<uint32_t>> stepOf_;  // by how many sites were passed
  NativePlan plan_;
};

}  // namespace

NativePlan planOf(const ReplayRun& run, const ReplayLog& log, const std::vector<Site>& sites, bool isRace,
                  bool isDeadlock) {
  return Planner(run, log, sites, isRace, isDeadlock).plan();
}

}  // namespace heddle
