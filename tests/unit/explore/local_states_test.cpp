// Loops that only wait, and paths that meet again: each program has a twin in which the dropped round or the
// merged path would have hidden a bug.
#include <gtest/gtest.h>

#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

std::string twoThreads(const std::string& globals, const std::string& first, const std::string& second,
                       const std::string& atEnd) {
  return globals + "\nvoid *t1(void *p) {" + first + " return p; }\nvoid *t2(void *p) {" + second +
         " return p; }\nint main(void) { pthread_t a, b; pthread_create(&a, 0, t1, 0); pthread_create(&b, 0, "
         "t2, 0);\n"
         "  pthread_join(a, 0); pthread_join(b, 0); " +
         atEnd + " return 0; }\n";
}

std::string verdictOf(const std::string& text, Property property) {
  Options options;
  options.properties = {property};
  const Report report = check(text, options);
  EXPECT_TRUE(report.problem.empty()) << report.problem;
  for (const Finding& finding : report.findings) {
    const ReplayResult again = replayed(text, finding.schedule);
    EXPECT_TRUE(again.ok) << again.error;
  }
  const auto it = report.properties.find(property);
  return it == report.properties.end() ? "none" : toString(it->second);
}

// --- awaits ---

const char* const kFlag = "_Atomic int flag; int data;";

TEST(Awaits, ALoopThatWaitsForAFlagNeedsNoBound) {
  EXPECT_EQ(verdictOf(twoThreads(kFlag, "data = 1; flag = 1;", "while (!flag); assert(data == 1);", ""),
                      Property::Assert),
            "verified");
  EXPECT_EQ(verdictOf(twoThreads(kFlag, "flag = 1; data = 1;", "while (!flag); assert(data == 1);", ""),
                      Property::Assert),
            "violated");
}

TEST(Awaits, SpinLocksExclude) {
  const std::string lock = "int e = 0; while (!__atomic_compare_exchange_n(&l, &e, 1, 0, 5, 5)) e = 0; n++; ";
  const std::string swap = "while (__sync_lock_test_and_set(&l, 1)); n++; ";
  for (const std::string& take : {lock, swap}) {
    const std::string good = take + "__atomic_store_n(&l, 0, 5);";
    EXPECT_EQ(verdictOf(twoThreads("int l, n;", good, good, "assert(n == 2);"), Property::Assert), "verified")
        << take;
    EXPECT_EQ(verdictOf(twoThreads("int l, n;", good, good, "assert(n == 2);"), Property::Race), "verified")
        << take;
    const std::string early = "__atomic_store_n(&l, 0, 5); " + take;
    EXPECT_EQ(verdictOf(twoThreads("int l, n;", good, early, "assert(n == 2);"), Property::Assert),
              "violated")
        << take;
  }
}

TEST(Awaits, WaitingUnderALockIsNoEffect) {
  const std::string poll =
      "for (;;) { pthread_mutex_lock(&m); int r = ready; pthread_mutex_unlock(&m); if (r) break; } "
      "assert(data == 7);";
  const std::string globals = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int ready, data;";
  EXPECT_EQ(
      verdictOf(twoThreads(globals, "data = 7; pthread_mutex_lock(&m); ready = 1; pthread_mutex_unlock(&m);",
                           poll, ""),
                Property::Assert),
      "verified");
  EXPECT_EQ(
      verdictOf(twoThreads(globals, "pthread_mutex_lock(&m); ready = 1; pthread_mutex_unlock(&m); data = 7;",
                           poll, ""),
                Property::Assert),
      "violated");
}

TEST(Awaits, ARoundThatCountsIsNotDropped) {
  // The number of rounds decides: nothing of it may be taken away.
  const std::string counting = "int n = 0; while (!flag) { if (++n == 3) break; } assert(n < 3);";
  EXPECT_EQ(verdictOf(twoThreads(kFlag, "flag = 1;", counting, ""), Property::Assert), "violated");
}

TEST(Awaits, ARoundThatWritesIsNotDropped) {
  const std::string writing = "for (int i = 0; i < 3 && !flag; i++) data = data + 1;";
  EXPECT_EQ(verdictOf(twoThreads(kFlag, "flag = 1;", writing, "assert(data < 3);"), Property::Assert),
            "violated");
  EXPECT_EQ(verdictOf(twoThreads(kFlag, "flag = 1;", writing, "assert(data <= 3);"), Property::Assert),
            "verified");
}

TEST(Awaits, AnExchangeThatMayChangeTheValueIsAnEffect) {
  // The lock word also takes the value 2, which a failing exchange overwrites.
  const std::string other = "int was = __atomic_load_n(&l, 5); __atomic_store_n(&l, 0, 5);";
  EXPECT_EQ(verdictOf(twoThreads("int l = 2;", "while (__atomic_exchange_n(&l, 1, 5)) ;",
                                 other + " assert(was == 1 || was == 2);", ""),
                      Property::Assert),
            "verified");
  EXPECT_EQ(verdictOf(twoThreads("int l = 2;", "while (__atomic_exchange_n(&l, 1, 5)) ;",
                                 other + " assert(was == 2);", ""),
                      Property::Assert),
            "violated");
}

TEST(Awaits, WaitingForEverIsADeadlock) {
  // Only a look at x between the two writes leaves the flag down.
  const std::string globals = "_Atomic int flag, x;";
  const std::string waits = "x = 1; x = 0; while (!flag);";
  EXPECT_EQ(verdictOf(twoThreads(globals, waits, "if (x != 1) flag = 1;", ""), Property::Deadlock),
            "violated");
  EXPECT_EQ(verdictOf(twoThreads(globals, waits, "if (x != 2) flag = 1;", ""), Property::Deadlock),
            "verified");
}

TEST(Awaits, APrivateLoopWithoutEndLetsTheOthersGoOn) {
  const std::string text =
      "int x; void *t1(void *p) { x = 1; return p; }\nint main(void) { pthread_t a; pthread_create(&a, 0, "
      "t1, 0);\n"
      "  pthread_join(a, 0); assert(x == 2); while (1); return 0; }\n";
  EXPECT_EQ(verdictOf(text, Property::Assert), "violated");
}

TEST(Awaits, AFlagPolledThroughAFunctionIsWatchedOnEachPath) {
  const auto polls = [](const std::string& claim) {
    return "int asked, size, done;\nvoid *job(void *p) { size = asked > 6 ? 6 : asked; done = 1; return p; "
           "}\n"
           "int poll(void) { return done ? size : -1; }\n"
           "int main(void) { asked = heddle_input_int(); heddle_assume(asked >= 1 && asked <= 9); pthread_t "
           "t; "
           "pthread_create(&t, 0, job, 0);\n  int found; while ((found = poll()) < 0);\n  assert(" +
           claim + "); pthread_join(t, 0); return 0; }\n";
  };
  EXPECT_EQ(verdictOf(polls("found == (asked > 6 ? 6 : asked)"), Property::Assert), "verified");
  EXPECT_EQ(verdictOf(polls("found != 6"), Property::Assert), "violated");
}

// --- merging ---

TEST(Awaits, APrivateLoopWithCallsLetsTheOthersGoOn) {
  // Wherever in its rounds the loop is looked at: with some of these lengths always at the call.
  for (unsigned length = 0; length < 12; ++length) {
    std::string body;
    for (unsigned i = 0; i < length; ++i) body += "+ n * " + std::to_string(i + 3);
    const std::string waits = "int k; do { k = 1 " + body + "; } while (waits()); assert(k >= 0);";
    const std::string look =
        "_Atomic int flag; int n; static int waits(void) { int v = flag; return v == 0; }";
    EXPECT_EQ(verdictOf(twoThreads(look, waits, "flag = 1;", ""), Property::Assert), "verified") << length;
  }
}

TEST(Merging, ManyBranchesWithoutEffectAreFewPaths) {
  std::string body;
  for (int i = 0; i < 24; ++i) body += "if (heddle_input_int() > 3) n += 1; else n = n + 1; ";
  const std::string text =
      "int x; void *t1(void *p) { int n = 0; " + body +
      " x = n; return p; }\nint main(void) { pthread_t a; pthread_create(&a, 0, t1, 0); pthread_join(a, 0);\n"
      "  assert(x == 24); return 0; }\n";
  Options options;
  options.properties = {Property::Assert};
  const Report report = check(text, options);
  EXPECT_EQ(report.verdict, Verdict::Verified);
  EXPECT_LT(report.stats.executions, 60u);
}

TEST(Merging, WhatDiffersIsKeptApart) {
  // The paths meet with different values of n, so the state in which the assertion fails is one of many.
  std::string body;
  for (int i = 0; i < 6; ++i) body += "if (x) n += " + std::to_string(1 << i) + "; ";
  EXPECT_EQ(verdictOf(twoThreads("_Atomic int x;", "int n = 0; " + body + " assert(n != 42);",
                                 "for (int i = 0; i < 6; i++) { x = 1; x = 0; }", ""),
                      Property::Assert),
            "violated");
}

TEST(Merging, WritesOfEitherPathReachWhatComesAfter) {
  const std::string first = "int v = heddle_input_int(); if (v > 0) x = 1; else y = 1; assert(x + y == 1);";
  EXPECT_EQ(verdictOf(twoThreads("int x, y, z;", first, "z = 1;", ""), Property::Assert), "verified");
  const std::string disturbed =
      "int v = heddle_input_int(); if (v > 0) x = 1; else y = 1; assert(x + y + z == 1);";
  EXPECT_EQ(verdictOf(twoThreads("int x, y, z;", disturbed, "z = 1;", ""), Property::Assert), "violated");
}

TEST(Merging, ALoopWithForksIsLinear) {
  const std::string loop = "for (int i = 0; i < 12; i++) { if (x) y = 1; else y = 2; }";
  Options options;
  options.properties = {Property::Assert};
  const std::string text =
      twoThreads("_Atomic int x, y;", loop, "for (int i = 0; i < 3; i++) { x = 1; x = 0; }",
                 "assert(y == 1 || y == 2);");
  const Report report = check(text, options);
  EXPECT_EQ(report.verdict, Verdict::Verified);
  EXPECT_LT(report.stats.executions, 150u) << "a tree would have 4,096 paths";
}

}  // namespace
}  // namespace heddle::test
