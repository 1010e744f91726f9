// Lockstep: searches that run side by side in slices of equal work, so that which of them ends first does not
// depend on how fast they run.
//
// Every party works for a slice, then waits for all that are still at work. Once a party has found what is
// looked for, after s slices, the others get as many again and are then told to stop. What each party
// achieves is therefore a function of the work alone: the same for any number of threads.
//
// Threading: each party calls from a thread of its own; `threads` of them run at the same time.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace heddle {

class Lockstep {
 public:
  Lockstep(unsigned parties, unsigned threads) : active_(parties), free_(threads) {}

  /// Before a party's first slice.
  void begin();
  /// After a slice. False: stop.
  bool pause();
  /// After a party's last slice.
  void finish(bool found);

 private:
  void endSlice();

  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned active_;
  unsigned free_;  // threads
  unsigned arrived_ = 0;
  uint64_t slice_ = 0;
  uint64_t limit_ = UINT64_MAX;
};

}  // namespace heddle
