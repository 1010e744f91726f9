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

UseCheck checked(const std::string& before, const std::string& after) {
  return checkOtherUses(boxSnapshot(before), boxSnapshot(after), Options{}, Budget().withSteps(2'000'000));
}

TEST(OtherUses, APatchThatWaitsForAnotherCallerIsWrong) {
  // Right for this main, where somebody takes; who only puts waits for ever.
  const UseCheck check =
      checked(boxText(""), boxText("  while (!b->taken) pthread_cond_wait(&b->change, &b->lock);\n",
                                   "  b->taken = 1;\n  pthread_cond_broadcast(&b->change);\n"));
  EXPECT_NE(check.problem.find("wrong for other callers, as for box_put: deadlock: "), std::string::npos)
      << check.problem;
}

TEST(OtherUses, APatchThatIsRightForAllIsCounted) {
  const UseCheck check = checked(boxText(""), boxText("  b->taken = 0;\n"));
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

}  // namespace
}  // namespace heddle
