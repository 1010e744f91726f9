// What a finding in a generated harness says of the calls, and what only of a state that nobody may be in.
#include <gtest/gtest.h>

#include <algorithm>

#include "server/source/harness.h"
#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

constexpr const char* kCurrent = R"(#include <pthread.h>
struct item { int value; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct item *current;
static int ready;
void choose(struct item *item) { pthread_mutex_lock(&lock); current = item; pthread_mutex_unlock(&lock); }
void announce(void) { pthread_mutex_lock(&lock); ready = 1; pthread_mutex_unlock(&lock); }
int use(void) {
  pthread_mutex_lock(&lock);
  int value = ready ? current->value : 0;
  pthread_mutex_unlock(&lock);
  return value;
}
)";

TEST(HarnessCertainty, ANullPointerThatNobodyThereSetsIsOnlyPossible) {
  const Report report = exploredIn(kCurrent, "announce || use");
  EXPECT_TRUE(report.findings.empty());
  ASSERT_FALSE(report.warnings.empty()) << report.problem;
  EXPECT_EQ(report.warnings.front().kind, Property::Memory);
  EXPECT_EQ(report.warnings.front().assumes.back(), "'current' was not set up");
  // Who announces takes it away: that one is theirs.
  std::string wrong = kCurrent;
  wrong.replace(wrong.find("ready = 1;"), 10, "ready = 1; current = 0;");
  const Report error = exploredIn(wrong, "announce || use");
  ASSERT_FALSE(error.findings.empty()) << error.problem;
  EXPECT_EQ(error.findings.front().kind, Property::Memory);
}

TEST(HarnessCertainty, HowLargeAnArgumentWithoutATypeIsIsAGuess) {
  const std::string text = R"(#include <pthread.h>
struct large { int a[9], b; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *kept;
void announce(void *data) { pthread_mutex_lock(&lock); kept = data; pthread_mutex_unlock(&lock); }
int use(void) {
  pthread_mutex_lock(&lock);
  const struct large *large = kept;
  int value = large ? large->b : 0;
  pthread_mutex_unlock(&lock);
  return value;
}
)";
  const Report report = exploredIn(text, "announce || use");
  EXPECT_TRUE(report.findings.empty());
  ASSERT_FALSE(report.warnings.empty()) << report.problem;
  const std::vector<std::string>& assumes = report.warnings.front().assumes;
  EXPECT_NE(std::find(assumes.begin(), assumes.end(), "what is passed is no larger than that"),
            assumes.end());
}

TEST(HarnessCertainty, AHookThatNobodySetsIsOnlyPossible) {
  std::string text = kCurrent;
  text.replace(text.find("static struct item *current;"), 28,
               "static struct item *current; int (*hash)(int);");
  text.replace(text.find("ready ? current->value : 0"), 26, "ready ? hash(1) : 0");
  const Report report = exploredIn(text, "announce || use");
  EXPECT_TRUE(report.findings.empty());
  ASSERT_FALSE(report.warnings.empty()) << report.problem;
  EXPECT_EQ(report.warnings.front().assumes.back(), "nobody sets the function pointer before the call");
  // Who announces takes it away: that one is theirs.
  text.replace(text.find("ready = 1;"), 10, "ready = 1; hash = 0;");
  const Report error = exploredIn(text, "announce || use");
  ASSERT_FALSE(error.findings.empty()) << error.problem;
  EXPECT_EQ(error.findings.front().kind, Property::Memory);
}

TEST(HarnessCertainty, WhoWaitsForTheThreadAndDestroysItsLockTakesTheObjectDown) {
  const HarnessPlan plan = harnessesOf(R"(#include <pthread.h>
struct worker { pthread_t thread; pthread_mutex_t lock; int runs, rounds; };
static void *work(void *data) {
  struct worker *w = data;
  pthread_mutex_lock(&w->lock);
  while (w->runs && w->rounds < 2) w->rounds++;
  pthread_mutex_unlock(&w->lock);
  return 0;
}
int worker_start(struct worker *w) {
  pthread_mutex_init(&w->lock, 0);
  w->runs = 1;
  w->rounds = 0;
  return pthread_create(&w->thread, 0, work, w);
}
void worker_halt(struct worker *w) {
  pthread_mutex_lock(&w->lock);
  w->runs = 0;
  pthread_mutex_unlock(&w->lock);
  pthread_join(w->thread, 0);
  pthread_mutex_destroy(&w->lock);
}
void worker_kick(struct worker *w) {
  pthread_mutex_lock(&w->lock);
  w->rounds = 0;
  pthread_mutex_unlock(&w->lock);
}
)");
  EXPECT_FALSE(plan.harnesses.empty());
  for (const GeneratedHarness& harness : plan.harnesses)
    EXPECT_EQ(harness.title.find("worker_halt ||"), std::string::npos) << harness.title;
}

TEST(HarnessCertainty, AFailureBesideCallsWhoseValuesItNeverReadsIsOnlyPossible) {
  std::string text = kCurrent;
  text.replace(text.find("ready ? current->value : 0"), 26, "current->value");
  for (const char* title : {"announce || use", "use || use"}) {
    const Report report = exploredIn(text, title);
    EXPECT_TRUE(report.findings.empty()) << title;
  }
}

}  // namespace
}  // namespace heddle::testing
