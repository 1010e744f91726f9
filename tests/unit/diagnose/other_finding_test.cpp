// What a detector reports that is no failure, deadlock or race: published when a replay shows it, made
// smaller by the same question, not explained.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/pipeline/finding_publisher.h"
#include "analysis/pipeline/prepare.h"
#include "tests/unit/diagnose/diagnosed.h"

namespace heddle::test {
namespace {

constexpr const char* kText = R"(
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
static void *one(void *unused) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  y = y + 1;
  pthread_mutex_unlock(&m);
  return unused;
}
static void *two(void *unused) {
  pthread_mutex_lock(&m);
  x = 2;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
}
)";

/// "The second thread writes before the first": an order that a detector might not want.
bool isReversed(const std::vector<TraceEntry>& trace) {
  const auto wrote = [&](const char* text) {
    return std::find_if(trace.begin(), trace.end(),
                        [&](const TraceEntry& entry) { return entry.text == text; });
  };
  const auto first = wrote("write x = 1"), second = wrote("write x = 2");
  return first != trace.end() && second < first;
}

class OtherFinding : public ::testing::Test {
 protected:
  OtherFinding() {
    snapshot_.path = "/nowhere/test.c";
    snapshot_.text = kText;
    snapshot_.command = commandFromFlags(snapshot_.path, {});
    prepared_ = prepare(snapshot_, "main");
    options_.properties = {Property::Deadlock};
    const Report found = analyze(snapshot_, {}, budget_);
    std::string error;
    if (!found.findings.empty()) schedule_ = Schedule::parse(found.findings.front().schedule, error);
  }

  /// The publisher's report of it.
  Report published(DiagnosisSubject::IsShownBy isShownBy) {
    Report report;
    const Observer observer;
    FindingPublisher publisher(*prepared_.program, prepared_.entry, snapshot_, options_, budget_, observer,
                               report, Clock::now());
    Detection detection;
    detection.finding.kind = Property::Deadlock;
    detection.finding.message = "the second thread writes before the first";
    detection.subject = DiagnosisSubject::of(*schedule_, std::move(isShownBy));
    publisher.detection(detection);
    problem_ = publisher.problem();
    publisher.makeSmaller();
    ExploreOptions explore;
    explore.entry = prepared_.entry;
    Runner runner(*prepared_.program, explore, false, {});
    publisher.explainAll(explore, runner);
    return report;
  }

  Snapshot snapshot_;
  PreparedProgram prepared_;
  Options options_;
  const Budget budget_ = Budget().withSteps(2'000'000);
  std::optional<Schedule> schedule_;
  Problem problem_;
};

TEST_F(OtherFinding, IsPublishedWhereAReplayShowsIt) {
  ASSERT_TRUE(prepared_.program && schedule_);
  const Report report = published(isReversed);
  EXPECT_EQ(problem_.text, "");
  ASSERT_EQ(report.findings.size(), 1u);
  ASSERT_TRUE(report.findings[0].explanation);
  EXPECT_EQ(report.findings[0].explanation->problem, "findings of this kind are shown, not explained");
}

TEST_F(OtherFinding, IsMadeSmallerByItsOwnQuestion) {
  ASSERT_TRUE(prepared_.program && schedule_);
  const Report report = published(isReversed);
  ASSERT_EQ(report.findings.size(), 1u);
  std::string error;
  const std::optional<Schedule> smaller = Schedule::parse(report.findings[0].schedule, error);
  ASSERT_TRUE(smaller) << error;
  const auto operations = [](const Schedule& schedule) {
    uint64_t sum = 0;
    for (const ScheduleSegment& segment : schedule.segments) sum += segment.operations;
    return sum;
  };
  EXPECT_LT(operations(*smaller), operations(*schedule_)) << "what follows the second write is not needed";
  const ReplayRun again = replayRun(*prepared_.program, prepared_.entry, *smaller, budget_);
  EXPECT_EQ(again.divergence, "");
  EXPECT_TRUE(isReversed(again.result.trace));
}

TEST_F(OtherFinding, IsNotPublishedWhereNoReplayShowsIt) {
  ASSERT_TRUE(prepared_.program && schedule_);
  const Report report = published([](const std::vector<TraceEntry>&) { return false; });
  EXPECT_TRUE(report.findings.empty());
  EXPECT_NE(problem_.text.find("did not replay"), std::string::npos) << problem_.text;
}

}  // namespace
}  // namespace heddle::test
