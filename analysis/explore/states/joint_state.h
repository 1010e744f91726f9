// JointState: where all threads stand, and what memory, mutexes and condition variables hold; and what one
// step of a thread makes of it (state_search.h). With inputs it stands for as many states as there are inputs
// that fulfil its conditions.
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

/// Names a set of pairs, whatever the order in which they came: 128 bits, the sums of a hash of each.
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
  /// By thread: its stop, or one of these. kCut: an assumption of the program failed, before or after what
  /// others do from here on; it has not ended.
  static constexpr StopId kAbsent = kNone, kOver = kNone - 1, kCut = kNone - 2;
  /// Of most programs: what a state is made of then lies in one piece, which copies and other processors
  /// are quicker with.
  static constexpr size_t kFewThreads = 6, kFewLocks = 3;
  template <typename T>
  using ByThread = boost::container::small_vector<T, kFewThreads>;
  using Owners =
      boost::container::flat_map<LocationId, ThreadId, std::less<LocationId>,
                                 boost::container::small_vector<std::pair<LocationId, ThreadId>, kFewLocks>>;
  ByThread<StopId> stops;
  std::vector<CellValue> values;        // where they differ from the initial ones, or there were none; sorted
  Owners owners;                        // of mutexes that are held
  std::map<LocationId, Waiters> waits;  // condition variables that somebody waits on
  ByThread<ThreadMask> joined;  // by thread: ended before, as it knows by joins, its own and its creator's
  ConditionId conditions = PathConditions::kAny;  // of the inputs
  ThreadId inSection = kNone;                     // between two events of its atomic section
  // What that has overwritten; without a value: nothing had been written there.
  std::vector<std::pair<LocationId, std::optional<KnownValue>>> undo;
  PairSum sum;  // of stops, values and owners; JointStates keeps it
};

class JointStates {
 public:
  JointStates(ThreadAutomata& automata, TermTable& terms) : automata_(automata), terms_(terms) {}

  JointState initial() const;
  StateKey key(const JointState& state) const;
  /// key(after(state, event, step)), without making that state; nothing where that is not simple.
  std::optional<StateKey> keyAfter(const JointState& state, const Event& event, const ThreadStep& step,
                                   ConditionId conditions) const;
  /// The event that the thread stands before; null when it is absent or over.
  const Event* pending(const JointState& state, ThreadId thread) const {
    const StopId stop = state.stops[thread];
    return stop >= JointState::kCut ? nullptr : &automata_.event(stop);
  }
  /// The thread can execute its pending event where its guard holds, if no atomic section of another keeps
  /// it.
  bool isEnabled(const JointState& state, const Event& event) const;
  static bool hasGuard(const Event& event) { return event.rule && event.rule->guard; }
  /// Names what guardOf() follows from, with the conditions of the inputs. Of an event with a guard.
  StateKey guardKey(const JointState& state, const Event& event) const;
  /// What says whether it can: a term of width 1; kNoTerm: there is no such rule.
  Term guardOf(const JointState& state, const Event& event) const;
  /// Threads wait for one another by locks and joins, or one for a lock that an ended thread took with it.
  bool waitsInCircle(const JointState& state) const;
  /// What the thread would find replaces the content of `observed`.
  void observe(const JointState& state, const Event& event, std::vector<KnownValue>& observed) const;
  /// The event, which the thread stands before, reads a cell that nothing has written. Known once some run
  /// has executed it.
  bool readsUnwritten(const JointState& state, const Event& event) const;
  /// Other threads can tell that the step was made (waiting_loops.cpp: what may be a round of waiting has no
  /// effect). Of a value that depends on inputs nobody can, unless another one was there.
  bool hasEffect(const JointState& state, const Event& event, const ThreadStep& step) const;
  /// The thread waits on a condition variable, and can wake whatever others do.
  bool isReleased(const JointState& state, const Event& wake) const;
  /// Makes the thread's step, which leads from `event`, for these conditions of the inputs.
  void advance(JointState& state, const Event& event, const ThreadStep& step, ConditionId conditions) const;
  JointState after(const JointState& state, const Event& event, const ThreadStep& step,
                   ConditionId conditions) const {
    JointState next = state;
    advance(next, event, step, conditions);
    return next;
  }

 private:
  KnownValue value(const JointState& state, LocationId location) const;
  /// A state that holds the value there is as one in which nothing was stored there.
  bool isLikeNever(LocationId location, const KnownValue& value) const;
  bool isWritten(const JointState& state, LocationId location) const;
  /// Without a value: as if nothing had ever been written there.
  void store(JointState& state, LocationId location, const std::optional<KnownValue>& value) const;
  Term termOf(const KnownValue& value, unsigned width) const {
    return value.term != kNoTerm ? value.term : terms_.constant(value.bits, width);
  }
  void move(JointState& state, ThreadId thread, StopId stop) const;
  /// The thread whose unlock or end it waits for; kNone: none.
  ThreadId waitsFor(const JointState& state, ThreadId thread) const;
  void noteCondition(JointState& state, const Event& event) const;
  void leaveConditions(JointState& state, ThreadId thread) const;
  void noteJoined(JointState& state, ThreadId thread, ThreadMask joined) const;
  static StateKey keyOf(const PairSum& sum, const JointState& rest, ConditionId conditions);

  ThreadAutomata& automata_;
  TermTable& terms_;
};

}  // namespace heddle
