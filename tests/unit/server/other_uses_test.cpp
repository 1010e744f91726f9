// A patch is right for every caller: uses that its program does not make are explored too.
#include <gtest/gtest.h>

#include <algorithm>

#include "server/harness_engine.h"

namespace heddle {
namespace {

/// A box with a lock: `put` and `take` change it, `take` may find nothing. `in`: what put does first.
std::string boxText(const std::string& in, const std::string& out = "") {
  return R"(#include <pthread.h>
#include <stdlib.h>
struct box { pthread_mutex_t lock; pthread_cond_t change; int count; int taken; };
static struct box *box_create(void) {
  struct box *b = calloc(1, sizeof *b);
  if (!b) abort();
  pthread_mutex_init(&b->lock, 0);
  pthread_cond_init(&b->change, 0);
  return b;
}
static void box_destroy(struct box *b) {
  pthread_cond_destroy(&b->change);
  pthread_mutex_destroy(&b->lock);
  free(b);
}
static void box_put(struct box *b) {
  pthread_mutex_lock(&b->lock);
)" + in + R"(  b->count++;
  pthread_mutex_unlock(&b->lock);
}
static void box_take(struct box *b) {
  pthread_mutex_lock(&b->lock);
  if (b->count > 0) b->count--;
)" + out +
         R"(  pthread_mutex_unlock(&b->lock);
}
static void box_wait(struct box *b) {
  pthread_mutex_lock(&b->lock);
  while (b->count == 0) pthread_cond_wait(&b->change, &b->lock);
  pthread_mutex_unlock(&b->lock);
}
static void *taker(void *b) { box_take(b); return 0; }
int main(void) {
  pthread_t t;
  struct box *b = box_create();
  pthread_create(&t, 0, taker, b);
  box_put(b);
  pthread_join(t, 0);
  box_destroy(b);
  return 0;
}
)";
}

Snapshot boxSnapshot(const std::string& text) {
  Snapshot snapshot;
  snapshot.path = "/uses/box.c";
  snapshot.text = text;
  snapshot.command = commandFromFlags(snapshot.path, {});
  return snapshot;
}

/// A failure that comes about in these two functions.
Finding findingIn(const std::string& first, const std::string& second) {
  Finding finding;
  finding.kind = Property::Race;
  OrderingFact& fact = finding.core.emplace_back();
  fact.beforeThread = "T0";
  fact.afterThread = "T1";
  fact.before.function = first;
  fact.after.function = second;
  return finding;
}

CallerCheck checked(const std::string& before, const std::string& after, uint64_t steps = 2'000'000,
                    const Finding& finding = findingIn("box_put", "box_take")) {
  return checkOtherUses(boxSnapshot(before), boxSnapshot(after), finding, Options{},
                        Budget().withSteps(steps));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// Without its locks in `put` and `take`.
std::string unlockedBox() {
  std::string text = boxText("");
  const std::string lock = "  pthread_mutex_lock(&b->lock);\n",
                    unlock = "  pthread_mutex_unlock(&b->lock);\n";
  text = replaced(text, lock + "  b->count++;\n" + unlock, "  b->count++;\n");
  const std::string take = "  if (b->count > 0) b->count--;\n";
  return replaced(text, lock + take + unlock, take);
}

/// `unlockedBox`, whose thread and main lock instead.
std::string lockedDriver() {
  const std::string lock = "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic void *taker";
  const auto around = [](const std::string& call) {
    return "pthread_mutex_lock(&m); " + call + " pthread_mutex_unlock(&m);";
  };
  std::string text = replaced(unlockedBox(), "static void *taker", lock);
  text = replaced(text, "{ box_take(b); return 0; }", "{ " + around("box_take(b);") + " return 0; }");
  return replaced(text, "  box_put(b);\n", "  " + around("box_put(b);") + "\n");
}

TEST(OtherUses, APatchThatWaitsForAnotherCallerIsWrong) {
  // Right for this main, where somebody takes; who only puts waits for ever.
  const CallerCheck check =
      checked(boxText(""), boxText("  while (!b->taken) pthread_cond_wait(&b->change, &b->lock);\n",
                                   "  b->taken = 1;\n  pthread_cond_broadcast(&b->change);\n"));
  EXPECT_NE(check.problem.find("wrong for other callers, as for box_put: deadlock: "), std::string::npos)
      << check.problem;
}

TEST(OtherUses, APatchThatIsRightForAllIsCounted) {
  const CallerCheck check = checked(boxText(""), boxText("  b->taken = 0;\n"));
  EXPECT_EQ(check.problem, "");
  EXPECT_GE(check.uses, 4u) << "alone, twice, by two threads, beside box_take";
}

TEST(OtherUses, WhatWaitsForOthersAnywayIsNotThePatchsFault) {
  std::string after = boxText("");
  const std::string loop = "  while (b->count == 0) pthread_cond_wait(&b->change, &b->lock);\n";
  const size_t at = after.find(loop);
  ASSERT_NE(at, std::string::npos);
  after.insert(at + loop.size(), "  b->taken = 1;\n");
  EXPECT_EQ(checked(boxText(""), after).problem, "") << "box_wait alone waits for ever before the patch too";
}

TEST(OtherUses, FunctionsThatDidNotChangeAreNotExplored) {
  EXPECT_EQ(checked(boxText(""), boxText("")).uses, 0u);
}

TEST(OtherUses, APatchOfTheDriverLeavesTheBugToOtherCallers) {
  const CallerCheck check = checked(unlockedBox(), lockedDriver());
  EXPECT_NE(check.onlyThisDriver.find("keeps the bug"), std::string::npos) << check.onlyThisDriver;
  EXPECT_EQ(checked(unlockedBox(), boxText("")).onlyThisDriver, "") << "the functions themselves changed";
}

TEST(OtherUses, UsesThatDoNotMakeTheCallsTogetherSayNothing) {
  // What its name calls the end of a box is in no use beside others.
  const auto renamed = [](std::string text) {
    for (size_t at; (at = text.find("box_put")) != std::string::npos;) text.replace(at, 7, "box_close_day");
    return text;
  };
  const CallerCheck check = checked(renamed(boxText("", "")),
                                    renamed(replaced(boxText(""), "  box_put(b);\n  pthread_join(t, 0);\n",
                                                     "  pthread_join(t, 0);\n  box_put(b);\n")),
                                    2'000'000, findingIn("box_close_day", "box_take"));
  EXPECT_TRUE(check.isOutside);
  EXPECT_NE(check.onlyThisDriver, "");
}

TEST(OtherUses, WhereTheDriverHasTheBugItsPatchIsForAll) {
  const CallerCheck check = checked(unlockedBox(), lockedDriver(), 2'000'000, findingIn("main", "taker"));
  EXPECT_EQ(check.onlyThisDriver, "");
}

TEST(OtherUses, AHelperThatOnlyTheChangedFunctionCallsIsAPartOfIt) {
  const auto withHelper = [](const std::string& lock, const std::string& unlock) {
    const std::string helper = "static void box_count(struct box *b) { b->count++; }\nstatic void box_put";
    std::string text = replaced(unlockedBox(), "static void box_put", helper);
    return replaced(text, "  b->count++;\n", lock + "  box_count(b);\n" + unlock);
  };
  const CallerCheck check =
      checked(withHelper("", ""),
              withHelper("  pthread_mutex_lock(&b->lock);\n", "  pthread_mutex_unlock(&b->lock);\n"),
              2'000'000, findingIn("box_count", "main"));
  EXPECT_FALSE(check.isOutside) << check.onlyThisDriver;
}

TEST(OtherUses, WhatTheyWaitForIsNotOutside) {
  const std::string after = boxText("", "  b->taken = 1;\n");
  EXPECT_FALSE(checked(boxText(""), after, 2'000'000, findingIn("box_put", "box_wait")).isOutside)
      << "box_take calls neither";
}

TEST(OtherUses, WhoTakesAnObjectDownSaysWhoMayUseIt) {
  const std::string after = replaced(unlockedBox(), "  free(b);\n", "  b->count = 0;\n  free(b);\n");
  EXPECT_EQ(checked(unlockedBox(), after).onlyThisDriver, "");
}

TEST(OtherUses, OnlyTheDriverCanKeepSeveralCallsTogether) {
  Finding finding = findingIn("box_put", "box_take");
  finding.core.front().afterThread = "T0";
  const CallerCheck check = checked(unlockedBox(), lockedDriver(), 1, finding);
  EXPECT_EQ(check.onlyThisDriver, "");
  EXPECT_TRUE(check.isOutside) << "what mends the functions themselves is better";
}

TEST(OtherUses, WithoutALookTheDriverIsNotTakenForAll) {
  const CallerCheck check = checked(unlockedBox(), lockedDriver(), 1);
  EXPECT_EQ(check.onlyThisDriver, "'box_put', 'box_take' are as before for other callers");
}

TEST(OtherUses, WhatAPatchMendsInAUseAnotherOneMayLeave) {
  const CallerCheck right = checked(unlockedBox(), boxText(""));
  const auto use = std::find_if(right.mended.begin(), right.mended.end(),
                                [](const MendedUse& one) { return one.title == "box_put || box_take"; });
  ASSERT_NE(use, right.mended.end());
  EXPECT_TRUE(use->kinds.contains(Property::Race));
  const Budget budget = Budget().withSteps(2'000'000);
  EXPECT_TRUE(failsInUse(boxSnapshot(lockedDriver()), *use, Options{}, budget));
  EXPECT_FALSE(failsInUse(boxSnapshot(boxText("")), *use, Options{}, budget));
}

TEST(OtherUses, CallsAreAlsoMadeOnAnObjectInWhichSomethingIs) {
  // Only behind the first put does a take write.
  const CallerCheck check = checked(unlockedBox(), boxText(""));
  EXPECT_TRUE(std::any_of(check.mended.begin(), check.mended.end(), [](const MendedUse& one) {
    return one.title == "box_put, then box_take || box_take";
  }));
}

TEST(OtherUses, UsesThatStayUndecidedAreCounted) {
  const CallerCheck check = checked(boxText(""), boxText("  b->taken = 0;\n"), 1);
  EXPECT_GE(check.made, 4u);
  EXPECT_LT(check.uses, check.made);
}

}  // namespace
}  // namespace heddle
