// Smaller witnesses: fewer switches, fewer steps, plainer inputs; and nothing that does not show the finding.
#include <gtest/gtest.h>

#include "analysis/pipeline/shrink.h"
#include "tests/unit/diagnose/diagnosed.h"

namespace heddle::test {
namespace {

Schedule parsed(const std::string& text) {
  std::string error;
  const std::optional<Schedule> schedule = Schedule::parse(text, error);
  EXPECT_TRUE(schedule) << error;
  return schedule.value_or(Schedule{});
}

uint64_t operationsOf(const Schedule& schedule, const std::string& thread) {
  uint64_t sum = 0;
  for (const ScheduleSegment& segment : schedule.segments)
    if (segment.thread == thread) sum += segment.operations;
  return sum;
}

TEST(Shrink, NeedlessSwitchesGo) {
  // It is shown as soon as both have done enough, in any order.
  const ShowsIt shows = [](const Schedule& s) {
    return operationsOf(s, "T1") >= 2 && operationsOf(s, "T2") >= 2;
  };
  const Schedule small = shrink(parsed("T1*1 T2*1 T1*1 T2*1 T1*4 T2*3"), shows, Budget());
  EXPECT_EQ(small.segments.size(), 2u) << small.toString();
  EXPECT_EQ(operationsOf(small, "T1"), 2u);
  EXPECT_EQ(operationsOf(small, "T2"), 2u);
}

TEST(Shrink, InputsBecomePlain) {
  const auto least = [](int64_t bound) {
    return shrink(
               parsed("T0*1 | T0=5250601737169865,77"),
               [=](const Schedule& s) { return s.inputs.at("T0")[0] >= bound; }, Budget())
        .inputs.at("T0");
  };
  EXPECT_EQ(least(-5), (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(least(1), (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(least(100'000), (std::vector<int64_t>{100'000, 0})) << "a boundary is met exactly";
}

TEST(Shrink, NothingIsKeptThatDoesNotShowIt) {
  const Schedule from = parsed("T0*3 T1*2 T0*1 | T0=9");
  EXPECT_EQ(shrink(
                from, [](const Schedule&) { return false; }, Budget()),
            from);
  EXPECT_EQ(shrink(
                from, [](const Schedule&) { return true; }, Budget().withSteps(0)),
            from);
}

TEST(Shrink, AReportHasSmallWitnesses) {
  const Report report = explained(R"(
    int x;
    static void *add(void *unused) { int before = x; x = before + 1; return unused; }
    int main(void) {
      pthread_t a, b;
      int n = heddle_input_int();
      pthread_create(&a, 0, add, 0);
      pthread_create(&b, 0, add, 0);
      pthread_join(a, 0);
      pthread_join(b, 0);
      assert(x == 2 || n < 40);
      return 0;
    })");
  for (const Finding& finding : report.findings) {
    if (finding.kind != Property::Assert) continue;
    ASSERT_EQ(finding.inputs.size(), 1u);
    EXPECT_EQ(finding.inputs[0].value, 40);
    // main, one thread reads, the other reads and writes, the first writes, main.
    EXPECT_LE(parsed(finding.schedule).segments.size(), 5u) << finding.schedule;
    return;
  }
  FAIL() << "the assertion can fail";
}

}  // namespace
}  // namespace heddle::test
