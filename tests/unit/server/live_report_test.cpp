// What is told while an exploration goes on: not what ends at once, each bug once, and progress on a terminal
// only.
#include <gtest/gtest.h>

#include <sstream>

#include "sample_reports.h"
#include "server/driver/live_report.h"

namespace heddle {
namespace {

using std::chrono::milliseconds;

TEST(LiveReport, TellsAFindingThatHasToWait) {
  std::ostringstream err;
  LiveReport live(err, {.file = "racy.c", .budget = milliseconds(10'000)});
  const auto now = LiveReport::Clock::now();
  const Observer observer = live.observer();
  observer.finding(testing::sampleFinding());
  live.tick(now);
  EXPECT_EQ(err.str(), "") << "it may be over in a moment";
  live.tick(now + milliseconds(1000));
  live.tick(now + milliseconds(2000));
  EXPECT_EQ(err.str(), "heddle: found after 0.0 s: racy.c:12:3: assertion 'x != 3' failed [heddle-assert]\n");
}

TEST(LiveReport, OneBugIsToldOnce) {
  std::ostringstream err;
  LiveReport live(err, {.file = "racy.c"});
  Finding race = testing::sampleFinding();
  race.kind = Property::Race;
  race.about = {{"x", "x"}};
  const Observer observer = live.observer();
  observer.finding(race);
  race.place.line = 7;
  observer.finding(race);
  live.tick(LiveReport::Clock::now() + milliseconds(1000));
  const std::string told = err.str();
  EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 1) << told;
}

TEST(LiveReport, ProgressIsForTerminalsAndGoes) {
  std::ostringstream err;
  {
    LiveReport live(err, {.isTerminal = true, .file = "racy.c", .budget = milliseconds(10'000)});
    live.observer().progress({.executions = 9, .paths = 1, .openLeaves = 2});
    const auto now = LiveReport::Clock::now();
    live.tick(now + milliseconds(1000));
    EXPECT_NE(err.str().find("of 10.0 s, 1 path, 2 open, 0 findings"), std::string::npos) << err.str();
    EXPECT_EQ(err.str().find('\n'), std::string::npos);
  }
  EXPECT_TRUE(err.str().ends_with("\r\033[K"));
}

TEST(LiveReport, WhatEndsAtOnceTellsNothing) {
  std::ostringstream err;
  LiveReport live(err, {.file = "racy.c"});
  live.begin();
  live.observer().finding(testing::sampleFinding());
  live.end();
  EXPECT_EQ(err.str(), "") << "the report has it";
}

}  // namespace
}  // namespace heddle
