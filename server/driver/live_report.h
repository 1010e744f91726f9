// LiveReport: what an exploration has found so far, told on stderr while it goes on: a line for each finding
// that has to wait for the report, and on a terminal one line of progress that the next one overwrites. The
// report itself, on stdout, has them all, with witnesses made smaller; an exploration that ends at once tells
// nothing here.
//
// Threading: finding() and progress() on the analysing thread; tick() on a thread of its own (begin()).
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

class LiveReport {
 public:
  using Clock = std::chrono::steady_clock;
  struct How {
    bool isTerminal = false;              // progress is shown, too
    std::string file;                     // as the user named it
    std::chrono::milliseconds budget{0};  // 0: none
    std::function<void(Finding&)> showAsWritten = [](Finding&) {};
  };
  /// How long a finding is held back before it is told: the report of most files comes sooner.
  static constexpr std::chrono::milliseconds kHeldBack{300};

  LiveReport(std::ostream& err, How how);
  ~LiveReport();
  LiveReport(const LiveReport&) = delete;
  LiveReport& operator=(const LiveReport&) = delete;

  Observer observer();
  /// Calls tick() ten times a second until end().
  void begin();
  /// Nothing is told from now on. Removes the line of progress.
  void end();
  /// Tells what has waited long enough.
  void tick(Clock::time_point now);

 private:
  struct Pending {
    Finding finding;
    Clock::time_point found;
    bool isTold = false;
  };
  std::string progressLine(Clock::time_point now) const;

  std::ostream& err_;
  const How how_;
  const Clock::time_point begun_ = Clock::now();
  mutable std::mutex mutex_;
  std::condition_variable_any ended_;
  std::vector<Pending> findings_;  // one of each bug
  Progress progress_;
  bool hasLine_ = false;  // a line of progress stands on the terminal
  std::jthread ticker_;   // last: joined first
};

}  // namespace heddle
