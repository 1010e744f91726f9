// ReportsAhead: the reports of several explorations, taken in their order while others go on side by side.
//
// Threading: made, asked and destroyed by one thread; `explore` is called by as many threads as there are
// workers, or by take() itself where there is one.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "analysis/report.h"

namespace heddle {

class ReportsAhead {
 public:
  using Explore = std::function<Report(size_t)>;

  /// `explore` gives the report of each number below `count`, and must be callable until the destructor ends.
  ReportsAhead(unsigned workers, size_t count, Explore explore);
  /// Begins no further exploration, and waits for those that are under way.
  ~ReportsAhead();
  ReportsAhead(const ReportsAhead&) = delete;
  ReportsAhead& operator=(const ReportsAhead&) = delete;

  /// Waits for the report. Must be called once for each number, from 0 on.
  Report take(size_t i);

 private:
  void work();

  const Explore explore_;
  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::vector<std::optional<Report>> reports_;
  size_t next_ = 0;
  std::vector<std::jthread> threads_;  // last: joined first
};

}  // namespace heddle
