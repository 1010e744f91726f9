// Waiters: who waits on a condition variable, and which signals are still theirs to take, in one form for all
// histories that differ in nothing that anybody can tell.
//
// Why the form loses nothing: whoever wakes may take any signal since its wait that no other wake needs
// (ConditionState::canWake divides them anew each time). The signals that those who woke have taken can
// always be the earliest ones, for a later signal is there for all whom an earlier one is there for, as long
// as they still wait. So a wake takes the earliest signal after its wait. Where the signals of a prefix
// suffice for all who wait in it, each of these can wake whatever others do: they are *released*, and the
// signals, which nobody else could take, are gone. Nothing tells the order of waits between which no signal
// came.
//
// Threading: values.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "analysis/model/ids.h"
#include "analysis/model/state_key.h"

namespace heddle {

class Waiters {
 public:
  Waiters() = default;
  /// Of what these two return.
  Waiters(std::vector<ThreadId> released, std::vector<ThreadId> entries)
      : released_(std::move(released)), entries_(std::move(entries)) {}
  const std::vector<ThreadId>& released() const { return released_; }
  const std::vector<ThreadId>& entries() const { return entries_; }

  void wait(ThreadId thread);
  /// Lost where nobody waits who is not released.
  void signal();
  void broadcast();
  /// canWake(thread).
  void wake(ThreadId thread);
  /// It waits no longer, though nobody woke it. Until then it counts as a waiter, which harms nobody: no
  /// signal is its own.
  void leave(ThreadId thread);

  bool canWake(ThreadId thread) const;
  /// It can wake, and what others do never changes that.
  bool isReleased(ThreadId thread) const;
  /// Nobody waits.
  bool empty() const { return released_.empty() && entries_.empty(); }
  void addTo(StateKey& key) const;

 private:
  static constexpr ThreadId kSignal = kNone;  // an entry that is no wait
  void normalize();
  /// How many of the first entries are waits with a signal for each, and these signals.
  size_t releasedPrefix() const;

  std::vector<ThreadId> released_;  // sorted
  std::vector<ThreadId> entries_;   // waits and signals, in order
};

}  // namespace heddle
