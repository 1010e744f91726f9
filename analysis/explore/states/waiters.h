// Waiters: which threads wait on a condition variable, and which signals they may still take. Histories
// whose difference no thread can observe have the same form.
//
// The form loses nothing. A thread that wakes may take any signal since its wait that no other wake needs
// (ConditionState::canWake assigns the signals anew each time). One may assume that the threads that woke
// have taken the earliest signals: a thread that still waits and could take an earlier signal could also
// take a later one. So a wake takes the earliest signal after its wait. If the signals of a prefix suffice
// for all threads that wait in it, each of these can wake whatever others do. They are *released*, and the
// signals of the prefix, which no other thread could take, are removed. No thread can observe the order of
// waits without a signal between them.
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
  /// Makes a Waiters from what released() and entries() of another one have returned.
  Waiters(std::vector<ThreadId> released, std::vector<ThreadId> entries)
      : released_(std::move(released)), entries_(std::move(entries)) {}
  const std::vector<ThreadId>& released() const { return released_; }
  const std::vector<ThreadId>& entries() const { return entries_; }

  void wait(ThreadId thread);
  /// The signal is lost if no thread waits that is not released yet.
  void signal();
  void broadcast();
  /// Requires canWake(thread).
  void wake(ThreadId thread);
  /// The thread stops waiting without being woken. Until then it counts as a waiter, which does no harm: no
  /// signal is reserved for it.
  void leave(ThreadId thread);

  bool canWake(ThreadId thread) const;
  /// The thread can wake, and nothing that others do changes that.
  bool isReleased(ThreadId thread) const;
  /// No thread waits.
  bool empty() const { return released_.empty() && entries_.empty(); }
  void addTo(StateKey& key) const;

 private:
  static constexpr ThreadId kSignal = kNone;  // an entry that is no wait
  void normalize();
  /// The length of the longest prefix of the entries in which each wait has a later signal of its own.
  size_t releasedPrefix() const;

  std::vector<ThreadId> released_;  // sorted
  std::vector<ThreadId> entries_;   // waits and signals, in order
};

}  // namespace heddle
