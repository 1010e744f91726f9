// Reports of explorations that go on side by side are taken in their order.
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <string>

#include "server/driver/reports_ahead.h"

namespace heddle {
namespace {

Report reportOf(size_t i) {
  Report report;
  report.file = std::to_string(i);
  return report;
}

TEST(ReportsAhead, AreTakenInOrderThoughTheFirstEndsLast) {
  std::latch later(3);
  ReportsAhead reports(2, 4, [&](size_t i) {
    if (i == 0)
      later.wait();
    else
      later.count_down();
    return reportOf(i);
  });
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(reports.take(i).file, std::to_string(i));
}

TEST(ReportsAhead, OneWorkerExploresWhatIsTakenAndNothingElse) {
  std::atomic<size_t> explored{0};
  ReportsAhead reports(1, 3, [&](size_t i) {
    ++explored;
    return reportOf(i);
  });
  EXPECT_EQ(reports.take(0).file, "0");
  EXPECT_EQ(explored, 1u);
}

}  // namespace
}  // namespace heddle
