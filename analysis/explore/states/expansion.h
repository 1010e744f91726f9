// Expansion: the states that follow from one joint state, as far as runs have shown them already. Computing
// an expansion changes nothing that a search has learned, so several threads may compute expansions at
// once. If something is not known yet, the expansion says what, the search learns it, and the state is
// expanded again (state_searcher.h).
//
// Threading: an Expander belongs to one thread. The data that it refers to may be read by many threads and
// must not change meanwhile.
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
#include "analysis/support/budget.h"

namespace heddle {

inline constexpr ThreadId kThreadBits = 32;
/// Why a search ends that may go on with more time.
inline constexpr const char* kOutOfBudget = "out of budget";

struct PathStep {
  ThreadId thread;
  uint32_t picks;  // number of the values of the one-bit inputs in the step
};

/// One possible outcome of a step.
struct StepOutcome {
  ConditionId conditions;  // the inputs for which the step has this outcome
  const ThreadStep* step;  // valid until a restart
  uint32_t picks;
};

/// A step to look up: `thread`'s next step after a visited state and `steps` from there.
struct AskedStep {
  std::span<const PathStep> steps;
  ThreadId thread;
};

/// The inputs for which the guard of an event holds, and those for which it does not; nullopt: there are
/// none.
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
    Guard,      // the guard of the thread's pending event in `state`
    Start,      // where `thread` begins
    Record,     // that `thread` stands before its event in `state`
    Races,      // the races of the state that is expanded
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
  bool forGood = true;  // a search with more states would not help
};

struct Expansion {
  /// A state that follows.
  struct Child {
    StateKey key;
    uint32_t number = kNone;  // the number of a known state
    ConditionId conditions = PathConditions::kAny;
    ThreadId threads = 0;                 // number of threads
    uint32_t firstStep = 0, stepEnd = 0;  // range in `steps` that leads to the child
    /// Range in `bytes` of the packed state; empty if the state is known or came before.
    uint32_t begin = 0, end = 0;

    /// The same Expander made this state before, and the search must have visited it by now.
    bool cameBefore() const { return number == kNone && begin == end; }
  };

  Missing missing;        // if something is missing, all other members are meaningless
  uint32_t goOn = 0;      // set of bits: threads that are over, absent or joining, or that take a step which
                          // others can observe
  bool isEnd = false;     // all threads are over in the state
  bool isCircle = false;  // threads wait for one another in a circle
  bool hasSections = false;  // a thread stands before an atomic section, whose events may race
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

/// What a search has learned. An expansion depends on nothing else.
struct Learned {
  const ThreadAutomata& automata;
  const JointStates& states;
  const PathConditions& conditions;
  const AccessRecords& records;
  const Names& names;
  StateTable numbers = {};                  // numbers of the visited states
  std::unordered_set<uint64_t> noted = {};  // pairs of stops before conflicting accesses
  std::unordered_map<StateKey, GuardSides, StateKeyHash> guards = {};  // by JointStates::guardKey
  std::vector<std::vector<uint64_t>> allPicks = {};
  std::map<std::vector<uint64_t>, uint32_t> pickNumbers = {};
  uint64_t mostConditions = 0;
  bool wantsCircle = true;         // no circle was found yet
  const Budget* budget = nullptr;  // of the search that is under way; null: there is none
};

/// Aligned so that each has its own cache lines: the expanders of several workers lie side by side, and
/// they write all the time.
class alignas(128) Expander {
 public:
  /// `learned` must outlive it.
  explicit Expander(const Learned& learned) : learned_(learned) {}

  /// Expands the state; replaces the content of `out`.
  void expand(const JointState& state, Expansion& out);
  void expand(std::span<const uint8_t> packed, Expansion& out) {
    unpack(packed, unpacked_);
    expand(unpacked_, out);
  }
  /// The same, ahead of the search: states that this Expander has made recently are not packed again. The
  /// search must visit the states made so in the order in which they were made.
  void expandAhead(std::span<const uint8_t> packed, Expansion& out);
  /// Must be called when the states made ahead will not be visited.
  void forget() { recent_.clear(); }
  /// All possible outcomes of the thread's next step; empty if something is missing.
  std::vector<StepOutcome> outcomesOf(const AskedStep& asked, const JointState& state, Missing& missing);

  /// What events of a kind touch, and whether they change it: two events that only look are independent.
  struct Touch {
    Resource::Kind kind = Resource::Kind::Memory;
    bool changes = false;
    bool isNone = false;  // the events touch nothing
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
  /// The record for the thread's pending event in the state, for one of the event's cells.
  AccessRecord recordOf(const JointState& state, ThreadId thread, LockSetId locks) const;
  /// An assumption of the program fails after the step, so the execution does not count.
  bool isCut(const JointState& state, ThreadId thread, const ThreadStep& step) const;
  static bool areConflictingHere(const Event& a, const Event& b);
  /// The events conflict only if the second one writes.
  static bool isUpToSecond(const Event& a, const Event& b);
  static uint64_t pairOf(const JointState& state, ThreadId a, ThreadId b) {
    return uint64_t{state.stops[a]} << 32 | state.stops[b];
  }

 private:
  /// A state on the way from the expanded state by eager steps.
  struct Walk {
    JointState state;
    std::vector<PathStep> steps;
    StateKey anchor = {};      // key of the state after the last number of steps that is a power of two
    ThreadMask goesRound = 0;  // threads whose steps led back to `anchor`
  };

  bool isMissing() const { return missing_->kind != Missing::Kind::Nothing; }
  /// True if the guard of some pending event depends on inputs; the state is then expanded as two.
  bool split(const JointState& state);
  /// Null: the answer is missing.
  const GuardSides* guardOf(const JointState& state, const Event& event);
  bool isEnabled(const JointState& state, const Event& event);
  bool joinsOther(const JointState& state, ThreadId thread) const;
  void lookForRaces(const JointState& state);
  bool mayRace(const JointState& state, ThreadId a, ThreadId b);
  bool mayWriteNow(const JointState& state, ThreadId thread);
  void noteThreads(const JointState& state);
  /// The threads whose next step must be interleaved.
  std::vector<ThreadId> chosenIn(const JointState& state);
  void take(const JointState& state, ThreadId thread);
  /// A way on from a fork of a step that is not followed yet.
  struct Way {
    StateKey fork;
    Term term = kNoTerm;  // whose value decides; none: a one-bit input is picked
    uint64_t value = 0;
    ConditionId conditions = PathConditions::kAny;  // at the fork
    size_t picks = 0;                               // number of the inputs picked before the fork
  };
  /// Adds the outcomes of the step that begins at the point, in the order of the values that lead to them. A
  /// step may fork thousands of times in a row, so what is left to follow is kept in `ways_`.
  void follow(const AskedStep& asked, const StateKey& begin, ConditionId conditions,
              std::vector<StepOutcome>& out);
  void followPoint(const AskedStep& asked, const StateKey& point, ConditionId conditions,
                   std::vector<StepOutcome>& out);
  void forkAt(const StateKey& point, Term term, ConditionId conditions);
  void refuse(const char* why, bool forGood = true);
  void addChild(const JointState& state, std::span<const PathStep> steps);
  /// The event creates a thread whose first stop is known.
  bool isStartKnown(const Event& event);

  // eager_steps.cpp
  /// Goes on from the last walk with eager steps; the states after them become children. Inputs may lead on
  /// exponentially many ways, so it looks at the budget.
  void settle();
  /// False if the thread's next step must be interleaved. Otherwise the last walk is replaced by the walks
  /// after the step.
  bool takeEagerly(ThreadId thread);
  /// Adds a walk; it reuses the memory of an earlier one.
  Walk& pushWalk();
  /// Notes a thread that goes round by eager steps, because it must not keep the others waiting.
  void noteRound(Walk& walk) const;
  bool isEager(const JointState& state, const Event& event) const;
  bool isKeptApart(const Event& event) const;
  void lookForRecord(const JointState& state, ThreadId thread);

  const Learned& learned_;
  Expansion* out_ = nullptr;          // the expansion that is being made
  Missing* missing_ = nullptr;        // set while something is looked up
  std::vector<KnownValue> observed_;  // values that the step in question observes
  std::vector<uint64_t> picks_;       // the one-bit inputs on the way through that step
  std::vector<Way> ways_;             // of that step, which are left to follow; the next one is the last
  JointState unpacked_;
  bool isAhead_ = false;
  /// Keys of states that were made ahead, by a part of the key; empty until expandAhead.
  std::vector<StateKey> recent_;
  std::deque<Walk> walks_;  // the first `open_` are in use; the others are kept for their memory
  size_t open_ = 0;
};

}  // namespace heddle
