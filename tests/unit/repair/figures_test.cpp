// Figures 3, 9 and 10 of the ConcBugAssist paper from the text to the first patch, as `heddle repair` does
// it.
#include "tests/unit/diagnose/figures.h"
#include "analysis/repair/repair.h"
#include "tests/unit/repair/repaired.h"

namespace heddle::testing {
namespace {

RepairResult repaired(const char* text) {
  const Snapshot snapshot =
      snapshotOf(std::string("#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n") + text);
  const RepairResult result = repairsOf(snapshot);
  EXPECT_FALSE(result.patches.empty());
  if (!result.patches.empty()) {
    const Report after = explored(snapshotOf(result.patches.front().texts.begin()->second));
    EXPECT_TRUE(after.findings.empty()) << result.patches.front().texts.begin()->second;
    EXPECT_EQ(after.verdict, Verdict::Verified);
  }
  return result;
}

std::vector<std::string> kinds(const RepairResult& result) {
  std::vector<std::string> all;
  for (const Patch& patch : result.patches) all.push_back(patch.repair.kind);
  return all;
}

TEST(Figures, TheCompositeOfFigure3IsFirst) {
  const RepairResult result = repaired(test::kFigure3);
  ASSERT_FALSE(result.patches.empty());
  const Repair& first = result.patches.front().repair;
  EXPECT_EQ(first.kind, "critical-sections") << first.title;
  EXPECT_EQ(first.fixedOrderings, 0u);
  // Both assignments of each thread in one section.
  const std::string& text = result.patches.front().texts.begin()->second;
  EXPECT_LT(text.find("pthread_mutex_lock"), text.find("x = 0;"));
  EXPECT_GT(text.find("pthread_mutex_unlock"), text.find("y = 0;"));
}

TEST(Figures, TheCompositeOfFigure9IsFirst) {
  const RepairResult result = repaired(test::kFigure9);
  ASSERT_FALSE(result.patches.empty());
  EXPECT_EQ(result.patches.front().repair.kind, "critical-sections") << result.patches.front().repair.title;
  const std::string& text = result.patches.front().texts.begin()->second;
  EXPECT_LT(text.find("pthread_mutex_lock"), text.find("list[open_slot] = value;"));
  EXPECT_GT(text.find("pthread_mutex_unlock"), text.find("open_slot = open_slot + 1;"));
}

TEST(Figures, Figure10IsSignalAndWait) {
  const RepairResult result = repaired(test::kFigure10);
  ASSERT_FALSE(result.patches.empty());
  EXPECT_EQ(result.patches.front().repair.kind, "signal-wait") << result.patches.front().repair.title;
  EXPECT_GT(result.patches.front().repair.fixedOrderings, 0u);
}

TEST(Figures, AnInitializationThatComesTooLateIsMoved) {
  const RepairResult result = repaired(test::kInitializedTooLate);
  ASSERT_FALSE(result.patches.empty());
  EXPECT_EQ(result.patches.front().repair.kind, "move-before-create") << result.patches.front().repair.title;
}

TEST(Figures, ALockOrderCycleGetsOneOrder) {
  const RepairResult result = repaired(test::kLockOrder);
  ASSERT_FALSE(result.patches.empty());
  EXPECT_EQ(result.patches.front().repair.kind, "lock-order") << result.patches.front().repair.title;
}

TEST(Figures, AJoinThatComesTooLateIsMoved) {
  const RepairResult result = repaired(test::kJoinedTooLate);
  ASSERT_FALSE(result.patches.empty());
  EXPECT_EQ(result.patches.front().repair.kind, "move-join") << result.patches.front().repair.title;
  const std::string& text = result.patches.front().texts.begin()->second;
  EXPECT_LT(text.find("pthread_join(t, 0);"), text.find("assert(result"));
}

TEST(Figures, AWaitWithoutAConditionGetsAFlag) {
  const RepairResult result = repaired(test::kMissedSignal);
  ASSERT_FALSE(result.patches.empty());
  EXPECT_EQ(result.patches.front().repair.kind, "loop-around-wait") << result.patches.front().repair.title;
  const std::string& text = result.patches.front().texts.begin()->second;
  EXPECT_NE(
      text.find("  while (ready_signals == 0)\n    pthread_cond_wait(&ready, &m);\n  ready_signals--;\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("  ready_signals++;\n  pthread_mutex_unlock(&m);\n  pthread_cond_signal(&ready);\n"),
            std::string::npos)
      << text;
}

TEST(Figures, AFreeWaitsForTheLastUse) {
  const RepairResult result = repaired(test::kUseAfterFree);
  ASSERT_FALSE(result.patches.empty());
  EXPECT_EQ(result.patches.front().repair.kind, "signal-wait") << result.patches.front().repair.title;
}

TEST(Figures, AWaitStandsInFrontOfTheCriticalSectionItWouldBlock) {
  const RepairResult result = repaired(R"(int d;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *add(void *arg) {
  pthread_mutex_lock(&m);
  d = d + 3;
  pthread_mutex_unlock(&m);
  return arg;
}
void *check(void *arg) {
  pthread_mutex_lock(&m);
  assert(d < 3);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, check, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
)");
  ASSERT_FALSE(result.patches.empty());
  const std::string& text = result.patches.front().texts.begin()->second;
  EXPECT_EQ(result.patches.front().repair.kind, "signal-wait") << text;
  EXPECT_LT(text.find("pthread_cond_wait"), text.find("pthread_mutex_lock(&m);")) << text;
}

TEST(Figures, Figure2KeepsTheCheckAndTheUseTogether) {
  const RepairResult result = repaired(test::kFigure2);
  ASSERT_FALSE(result.patches.empty());
  EXPECT_EQ(kinds(result).front(), "critical-sections") << result.patches.front().repair.title;
}

}  // namespace
}  // namespace heddle::testing
