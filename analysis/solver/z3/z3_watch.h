// Watches a running Z3 query: interrupts it on stop, at the deadline, or above the memory cap.
//
// Z3's interrupt is soft and is lost when it arrives before the search has registered itself, so it is
// repeated until the query has returned. After the watch is destroyed no interrupt is under way or to come:
// none can hit a later query.
//
// Threading: construct and destroy on the solver's thread; a thread of its own runs between the two.
#pragma once

#include <z3++.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "analysis/support/budget.h"

namespace heddle {

class Z3Watch {
 public:
  Z3Watch(z3::context& context, const Budget& budget);
  ~Z3Watch();
  Z3Watch(const Z3Watch&) = delete;
  Z3Watch& operator=(const Z3Watch&) = delete;

  /// Why the query was interrupted; None if it was not. Ends the watch.
  StopReason finish();

 private:
  void run();
  StopReason reasonToStop() const;

  z3::context& context_;
  const Budget& budget_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  bool stopSeen_ = false;
  StopReason reason_ = StopReason::None;
  std::thread thread_;
};

/// The budget's reasons that concern a solver (it does not count steps), and the memory that Z3 holds in this
/// process.
StopReason z3ReasonToStop(const Budget& budget);

}  // namespace heddle
