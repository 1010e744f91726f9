// JointState: where all threads stand, and what memory, mutexes and condition variables hold. JointStates
// computes the state after a step of a thread (state_search.h). With inputs, a JointState stands for one
// state for each choice of inputs that fulfils its conditions.
//
// Threading: values; a JointStates belongs to one search.
#pragma once

#include <boost/container/flat_map.hpp>
#include <boost/container/small_vector.hpp>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/explore/states/access_records.h"
#include "analysis/explore/states/path_conditions.h"
#include "analysis/explore/states/thread_automata.h"
#include "analysis/explore/states/waiters.h"

namespace heddle {

/// A 128-bit key of a set of pairs that does not depend on their order: the sum of a hash of each pair.
class PairSum {
 public:
  void add(uint64_t a, uint64_t b) { add(keyOf(a, b)); }
  void remove(uint64_t a, uint64_t b) { remove(keyOf(a, b)); }
  void add(uint64_t a, const KnownValue& b) { add(keyOf(a, b)); }
  void remove(uint64_t a, const KnownValue& b) { remove(keyOf(a, b)); }
  void addTo(StateKey& key) const {
    key.add(low_);
    key.add(high_);
  }

 private:
  void add(const StateKey& key) {
    low_ += key.low;
    high_ += key.high;
  }
  void remove(const StateKey& key) {
    low_ -= key.low;
    high_ -= key.high;
  }
  static StateKey keyOf(uint64_t a, const KnownValue& b) {
    if (b.term == kNoTerm) return keyOf(a, b.bits);
    StateKey key = keyOf(a, b.term);
    key.add(1);
    return key;
  }
  static StateKey keyOf(uint64_t a, uint64_t b) {
    StateKey key;
    key.add(a);
    key.add(b);
    return key;
  }
  uint64_t low_ = 0, high_ = 0;
};

struct JointState {
  /// A thread's entry in `stops` is its stop or one of these. kCut: an assumption of the program failed in
  /// the thread, which has not ended; what others do from here on may come before or after that.
  static constexpr StopId kAbsent = kNone, kOver = kNone - 1, kCut = kNone - 2;
  /// Enough for most programs. The parts of a state then lie in one piece of memory, which makes copies and
  /// access from other processors faster.
  static constexpr size_t kFewThreads = 6, kFewLocks = 3;
  template <typename T>
  using ByThread = boost::container::small_vector<T, kFewThreads>;
  using Owners =
      boost::container::flat_map<LocationId, ThreadId, std::less<LocationId>,
                                 boost::container::small_vector<std::pair<LocationId, ThreadId>, kFewLocks>>;
  ByThread<StopId> stops;
  /// Values that differ from the initial ones, or of locations without one; sorted.
  std::vector<CellValue> values;
  Owners owners;                        // owners of the mutexes that are held
  std::map<LocationId, Waiters> waits;  // condition variables with waiting threads
  /// By thread: the threads that it knows to have ended, by its own joins and its creator's.
  ByThread<ThreadMask> joined;
  ConditionId conditions = PathConditions::kAny;  // conditions on the inputs
  ThreadId inSection = kNone;  // the thread that stands between two events of its atomic section
  // What that section has overwritten. No value: nothing had been written to the location.
  std::vector<std::pair<LocationId, std::optional<KnownValue>>> undo;
  PairSum sum;  // sum of stops, values and owners; JointStates keeps it up to date
};

class JointStates {
 public:
  JointStates(ThreadAutomata& automata, TermTable& terms) : automata_(automata), terms_(terms) {}

  JointState initial() const;
  StateKey key(const JointState& state) const;
  /// key(after(state, event, step)), without making that state; nullopt if that is not simple.
  std::optional<StateKey> keyAfter(const JointState& state, const Event& event, const ThreadStep& step,
                                   ConditionId conditions) const;
  /// The event that the thread stands before; null if the thread is absent, over or cut.
  const Event* pending(const JointState& state, ThreadId thread) const {
    const StopId stop = state.stops[thread];
    return stop >= JointState::kCut ? nullptr : &automata_.event(stop);
  }
  /// The thread can execute its pending event for inputs with which the event's guard holds, unless an
  /// atomic section of another thread prevents it.
  bool isEnabled(const JointState& state, const Event& event) const;
  static bool hasGuard(const Event& event) { return event.rule && event.rule->guard; }
  /// A key of everything that guardOf() depends on, with the conditions on the inputs. The event must have
  /// a guard.
  StateKey guardKey(const JointState& state, const Event& event) const;
  /// The guard as a term of width 1 that tells whether the event can be executed; kNoTerm: it has no guard.
  Term guardOf(const JointState& state, const Event& event) const;
  /// Threads wait for one another in a circle of locks and joins, or some thread waits for a lock that an
  /// ended thread still holds.
  bool waitsInCircle(const JointState& state) const;
  /// Replaces the content of `observed` with what the thread would find.
  void observe(const JointState& state, const Event& event, std::vector<KnownValue>& observed) const;
  /// The pending event reads a cell that was never written. This is only known once some run has executed
  /// the event.
  bool readsUnwritten(const JointState& state, const Event& event) const;
  /// Other threads can observe that the step was made (waiting_loops.cpp: a step that may belong to a round
  /// of waiting has no effect). An update that involves a value which depends on inputs does not count as
  /// observable.
  bool hasEffect(const JointState& state, const Event& event, const ThreadStep& step) const;
  /// The thread waits on a condition variable and can wake up whatever other threads do.
  bool isReleased(const JointState& state, const Event& wake) const;
  /// Executes the thread's step, which starts with `event`, under these conditions on the inputs.
  void advance(JointState& state, const Event& event, const ThreadStep& step, ConditionId conditions) const;
  JointState after(const JointState& state, const Event& event, const ThreadStep& step,
                   ConditionId conditions) const {
    JointState next = state;
    advance(next, event, step, conditions);
    return next;
  }

 private:
  KnownValue value(const JointState& state, LocationId location) const;
  /// A state with this value is the same as a state in which nothing was stored at the location.
  bool isLikeNever(LocationId location, const KnownValue& value) const;
  bool isWritten(const JointState& state, LocationId location) const;
  /// No value: as if nothing had ever been written to the location.
  void store(JointState& state, LocationId location, const std::optional<KnownValue>& value) const;
  Term termOf(const KnownValue& value, unsigned width) const {
    return value.term != kNoTerm ? value.term : terms_.constant(value.bits, width);
  }
  void move(JointState& state, ThreadId thread, StopId stop) const;
  /// The thread whose unlock or end `thread` waits for; kNone: it waits for none.
  ThreadId waitsFor(const JointState& state, ThreadId thread) const;
  void noteCondition(JointState& state, const Event& event) const;
  void leaveConditions(JointState& state, ThreadId thread) const;
  void noteJoined(JointState& state, ThreadId thread, ThreadMask joined) const;
  static StateKey keyOf(const PairSum& sum, const JointState& rest, ConditionId conditions);

  ThreadAutomata& automata_;
  TermTable& terms_;
};

}  // namespace heddle
