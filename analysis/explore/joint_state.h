// JointState: where all threads stand, and what memory, mutexes and condition variables hold; and what one
// step of a thread makes of it (state_search.h).
//
// Threading: values; a JointStates belongs to one search.
#pragma once

#include <map>
#include <vector>

#include "analysis/explore/thread_automata.h"
#include "analysis/interp/thread_state.h"

namespace heddle {

struct JointState {
  /// By thread: its stop, or one of these.
  static constexpr StopId kAbsent = kNone, kOver = kNone - 1;
  std::vector<StopId> stops;
  std::vector<std::pair<LocationId, uint64_t>> values;  // where they differ from the initial ones; sorted
  std::map<LocationId, ThreadId> owners;                // of mutexes that are held
  std::map<LocationId, std::vector<uint64_t>> waits;  // condition variables somebody waits on: what happened
  ThreadId inSection = kNone;                         // between two events of its atomic section
  std::vector<std::pair<LocationId, uint64_t>> undo;  // what that has overwritten
};

class JointStates {
 public:
  JointStates(ThreadAutomata& automata, TermTable& terms) : automata_(automata), terms_(terms) {}

  JointState initial() const;
  StateKey key(const JointState& state) const;
  /// The event that the thread stands before; null when it is absent or over.
  const Event* pending(const JointState& state, ThreadId thread) const {
    const StopId stop = state.stops[thread];
    return stop >= JointState::kOver ? nullptr : &automata_.event(stop);
  }
  /// The thread can execute its pending event, if no atomic section of another keeps it.
  bool isEnabled(const JointState& state, const Event& event) const;
  /// What the thread would find.
  std::vector<uint64_t> observation(const JointState& state, const Event& event) const;
  /// The state after the thread's step, which leads from `event`.
  JointState after(const JointState& state, const Event& event, const ThreadStep& step) const;

 private:
  uint64_t value(const JointState& state, LocationId location) const;
  void store(JointState& state, LocationId location, uint64_t value) const;
  void noteCondition(JointState& state, const Event& event) const;

  ThreadAutomata& automata_;
  TermTable& terms_;
};

}  // namespace heddle
