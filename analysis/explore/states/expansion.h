// Expansion: what follows from one joint state, as far as runs have shown it already. Computing one changes
// nothing that a search has learned, so several threads may do so at once; where something is not known yet,
// the expansion says what, the search learns it, and the state is expanded again (state_searcher.h).
//
// Threading: an Expander belongs to one thread. What it refers to may be read by many, and must not change
// meanwhile.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analysis/explore/states/access_records.h"
#include "analysis/explore/states/joint_state.h"
#include "analysis/explore/states/packed_state.h"
#include "analysis/explore/states/path_conditions.h"
#include "analysis/explore/states/state_table.h"
#include "analysis/explore/states/thread_automata.h"

namespace heddle {

inline constexpr ThreadId kThreadBits = 32;

struct PathStep {
  ThreadId thread;
  uint32_t picks;  // the inputs of one bit in the step
};

/// One of the ways that a step may go.
struct StepOutcome {
  ConditionId conditions;  // where it goes so
  const ThreadStep* step;  // stays until a restart
  uint32_t picks;
};

/// Where a step is looked for: behind a visited state, and the steps from there.
struct AskedStep {
  std::span<const PathStep> steps;
  ThreadId thread;
};

/// Where the guard of an event holds, and where not; none: for no inputs.
struct GuardSides {
  std::optional<ConditionId> yes, no;
};

/// What must be learned before a state can be expanded.
struct Missing {
  enum class Kind : uint8_t {
    Nothing,
    Step,       // a run that makes the step: `steps`, `thread`, `picks`, for `conditions`
    Picks,      // a number of `picks`
    Condition,  // whether `term` can have `value` where `conditions` hold
    Values,     // which values `term` can have there
    Guard,      // of the thread's pending event in `state`
    Start,      // where `thread` begins
    Record,     // that `thread` stands before its event in `state`
    Races,      // of the state that is expanded
    Refusal,    // the search cannot go on: `why`
  };
  Kind kind = Kind::Nothing;
  ThreadId thread = kNone;
  ConditionId conditions = PathConditions::kAny;
  Term term = kNoTerm;
  uint64_t value = 0;
  StateKey point = {};
  std::vector<PathStep> steps = {};
  std::vector<uint64_t> picks = {};
  std::optional<JointState> state = {};
  const char* why = "";
  bool forGood = true;  // a larger search would not help
};

struct Expansion {
  /// A state that follows.
  struct Child {
    StateKey key;
    uint32_t number = kNone;  // of a state that is known
    ConditionId conditions = PathConditions::kAny;
    ThreadId threads = 0;                 // that there are
    uint32_t firstStep = 0, stepEnd = 0;  // of `steps`: what leads there
    uint32_t begin = 0, end = 0;          // of `bytes`: the state, unless it is known or came before

    /// It was made before, by the same Expander, and was to be visited by now.
    bool cameBefore() const { return number == kNone && begin == end; }
  };

  Missing missing;           // where there is something, the rest says nothing
  uint32_t goOn = 0;         // bits of threads: over, absent, joining, or others can tell what it does
  bool isEnd = false;        // everything is over in it
  bool isCircle = false;     // threads wait for one another
  bool hasSections = false;  // a thread stands before an atomic section: races are asked for in it
  uint64_t eagerSteps = 0;
  std::vector<Child> children;
  std::vector<PathStep> steps;
  std::vector<uint8_t> bytes;  // packed states

  std::span<const PathStep> stepsOf(const Child& child) const {
    return std::span(steps).subspan(child.firstStep, child.stepEnd - child.firstStep);
  }
  std::span<const uint8_t> bytesOf(const Child& child) const {
    return std::span(bytes).subspan(child.begin, child.end - child.begin);
  }

  bool isKnown() const { return missing.kind == Missing::Kind::Nothing; }
};

/// What a search has learned, and all that an expansion follows from.
struct Learned {
  const ThreadAutomata& automata;
  const JointStates& states;
  const PathConditions& conditions;
  const AccessRecords& records;
  const Names& names;
  StateTable numbers = {};                  // of visited states
  std::unordered_set<uint64_t> noted = {};  // pairs of stops before conflicting accesses
  std::unordered_map<StateKey, GuardSides, StateKeyHash> guards = {};  // by JointStates::guardKey
  std::vector<std::vector<uint64_t>> allPicks = {};
  std::map<std::vector<uint64_t>, uint32_t> pickNumbers = {};
  uint64_t mostConditions = 0;
  bool wantsCircle = true;  // none was found yet
};

/// Each in cache lines of its own: those of several workers lie side by side, and are written all the time.
class alignas(128) Expander {
 public:
  /// `learned` must outlive it.
  explicit Expander(const Learned& learned) : learned_(learned) {}

  /// Replaces `out`.
  void expand(const JointState& state, Expansion& out);
  void expand(std::span<const uint8_t> packed, Expansion& out) {
    unpack(packed, unpacked_);
    expand(unpacked_, out);
  }
  /// The same ahead of the search: a state that this one has made lately is not packed again. What it makes
  /// so must be visited in the order in which it is made.
  void expandAhead(std::span<const uint8_t> packed, Expansion& out);
  /// What it has made will not be visited.
  void forget() { recent_.clear(); }
  /// All that may become of the thread's next step; nothing where something is missing.
  std::vector<StepOutcome> outcomesOf(const AskedStep& asked, const JointState& state, Missing& missing);

  /// What events of a kind touch, and whether they change it: two that only look do not mind each other.
  struct Touch {
    Resource::Kind kind = Resource::Kind::Memory;
    bool changes = false;
    bool isNone = false;  // they touch nothing
  };
  static constexpr Touch touchOf(EventKind kind) {
    switch (kind) {
      case EventKind::Read:
        return {Resource::Kind::Memory, false};
      case EventKind::Write:
      case EventKind::Update:
        return {Resource::Kind::Memory, true};
      case EventKind::Lock:
      case EventKind::LockBusy:
        return {Resource::Kind::Taking, true};
      case EventKind::Unlock:
        return {Resource::Kind::Leaving, false};
      case EventKind::Wait:
        return {Resource::Kind::Waiting, true};
      case EventKind::Signal:
      case EventKind::Broadcast:
        return {Resource::Kind::Waiting, false};
      default:
        return {Resource::Kind::Memory, false, true};
    }
  }
  /// The mutexes that the thread holds, sorted.
  static std::vector<LocationId> locksOf(const JointState& state, ThreadId thread);
  /// What the thread's coming to stand there is recorded as, for one of its event's cells.
  AccessRecord recordOf(const JointState& state, ThreadId thread, LockSetId locks) const;
  /// An assumption of the program fails after the step: the execution does not count.
  bool isCut(const JointState& state, ThreadId thread, const ThreadStep& step) const;
  static bool areConflictingHere(const Event& a, const Event& b);
  /// They conflict only where the second one writes.
  static bool isUpToSecond(const Event& a, const Event& b);
  static uint64_t pairOf(const JointState& state, ThreadId a, ThreadId b) {
    return uint64_t{state.stops[a]} << 32 | state.stops[b];
  }

 private:
  /// On the way from the state that is expanded, by eager steps.
  struct Walk {
    JointState state;
    std::vector<PathStep> steps;
    StateKey anchor = {};      // of the state after the greatest power of two of them
    ThreadMask goesRound = 0;  // threads whose steps led back to it
  };

  bool isMissing() const { return missing_->kind != Missing::Kind::Nothing; }
  /// Some pending event's guard depends on inputs: the state goes on as two.
  bool split(const JointState& state);
  /// None: it is missing.
  const GuardSides* guardOf(const JointState& state, const Event& event);
  bool isEnabled(const JointState& state, const Event& event);
  bool joinsOther(const JointState& state, ThreadId thread) const;
  void lookForRaces(const JointState& state);
  bool mayRace(const JointState& state, ThreadId a, ThreadId b);
  bool mayWriteNow(const JointState& state, ThreadId thread);
  void noteThreads(const JointState& state);
  /// The threads whose next step is interleaved.
  std::vector<ThreadId> chosenIn(const JointState& state);
  void take(const JointState& state, ThreadId thread);
  void follow(const AskedStep& asked, const StateKey& point, ConditionId conditions,
              std::vector<StepOutcome>& out);
  void followTerm(const AskedStep& asked, const StateKey& point, Term term, ConditionId conditions,
                  std::vector<StepOutcome>& out);
  void refuse(const char* why, bool forGood = true);
  void addChild(const JointState& state, std::span<const PathStep> steps);
  /// The thread whose creation the event is has a place to begin.
  bool isStartKnown(const Event& event);

  // eager_steps.cpp
  /// Goes on from the last walk with eager steps; what comes behind them follows.
  void settle();
  /// False where the thread's next step must be interleaved; else the last walk has become those behind it.
  bool takeEagerly(ThreadId thread);
  /// One more, of memory that was used before.
  Walk& pushWalk();
  /// Threads that go round with eager steps do not keep others waiting.
  void noteRound(Walk& walk) const;
  bool isEager(const JointState& state, const Event& event) const;
  bool isKeptApart(const Event& event) const;
  void lookForRecord(const JointState& state, ThreadId thread);

  const Learned& learned_;
  Expansion* out_ = nullptr;          // while one is made
  Missing* missing_ = nullptr;        // while something is looked for
  std::vector<KnownValue> observed_;  // by the step that is looked for
  std::vector<uint64_t> picks_;       // on the way through it
  JointState unpacked_;
  bool isAhead_ = false;
  std::vector<StateKey> recent_;  // of states that were made ahead, by a part of the key; empty until then
  std::deque<Walk> walks_;        // the first `open_` are under way; the others are kept for their memory
  size_t open_ = 0;
};

}  // namespace heddle
