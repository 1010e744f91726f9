// No verdict rests on what was never executed: bounds do not make what follows unreachable, the report names
// what was reached, and is incomplete where a bound may be why something essential was not.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

const char* const kPthreads = "#include <pthread.h>\n";

bool names(const Report& report, Unreached::Kind kind, const std::string& function) {
  if (!report.reach) return false;
  const std::vector<Unreached>& unreached = report.reach->unreached;
  return std::any_of(unreached.begin(), unreached.end(),
                     [&](const Unreached& what) { return what.kind == kind && what.function == function; });
}

uint32_t started(const Report& report, const std::string& function) {
  for (const ReachedThread& thread : report.reach->threads)
    if (thread.function == function) return thread.started;
  return 0;
}

TEST(Reach, ALoopWithAConstantNumberOfRoundsIsExecutedInFull) {
  const std::string text = std::string(kPthreads) +
                           "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int n;\n"
                           "void *f(void *p) { for (int i = 0; i < 20; i++) { pthread_mutex_lock(&m); n++;\n"
                           "  pthread_mutex_unlock(&m); } return p; }\n"
                           "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); pthread_join(a, 0);\n"
                           "  assert(n != 20); return 0; }\n";
  Options options;
  options.unroll = 2;
  EXPECT_EQ(check(text, options).properties.at(Property::Assert), Verdict::Violated);
}

TEST(Reach, ALoopWhoseRoundsAnInputDecidesIsCut) {
  Options options;
  options.unroll = 2;
  const Report report = check(
      "int __VERIFIER_nondet_int(void);\n"
      "int main(void) { int n = __VERIFIER_nondet_int(), s = 0; for (int i = 0; i < n; i++) s++; return s; "
      "}\n",
      options);
  EXPECT_EQ(report.verdict, Verdict::VerifiedWithinBounds) << report.problem;
  ASSERT_EQ(report.bounds.size(), 1u);
  EXPECT_EQ(report.bounds.front().kind, BoundKind::LoopIterations);
}

TEST(Reach, TheCheckOfAnIndexIsNoBranchOfTheText) {
  const Report report = check(
      "int __VERIFIER_nondet_int(void);\nstatic struct { int a[4], b; } x;\n"
      "int main(void) { int n = __VERIFIER_nondet_int(); if (n > 3u) return 1; x.a[n] = 1; return x.b; }\n");
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
  EXPECT_EQ(report.reach->branchSides.all, 2u);
  EXPECT_EQ(report.reach->branchSides.reached, 2u);
  EXPECT_EQ(report.reach->assertions.all, 0u);
}

TEST(Reach, ABoundThatKeepsTheEndFromBeingReachedIsNoVerdict) {
  const Report report =
      check("int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }\n", {}, 100'000);
  EXPECT_EQ(report.verdict, Verdict::Incomplete);
  EXPECT_EQ(report.problemKind, ProblemKind::NotReached) << report.problem;
  EXPECT_TRUE(names(report, Unreached::Kind::End, "main"));
}

TEST(Reach, AnAssertionBehindACutLoopIsNotReached) {
  const std::string text =
      "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (n != 7) { n = "
      "__VERIFIER_nondet_int();\n"
      "  if (n == 1) i++; if (i == 50) { assert(i == 50); return 1; } } return 0; }\n";
  Options options;
  options.unroll = 2;
  const Report report = check("int __VERIFIER_nondet_int(void);\n" + text, options);
  EXPECT_EQ(report.verdict, Verdict::Incomplete);
  EXPECT_EQ(report.problemKind, ProblemKind::NotReached) << report.problem;
  EXPECT_TRUE(names(report, Unreached::Kind::Assertion, "main"));
}

TEST(Reach, WhatIsNeverReachedWhereAllWasExploredIsAResult) {
  const Report report = check(
      "static int never(int x) { assert(x); return x; }\n"
      "int main(void) { volatile int zero = 0; if (zero) return never(0); return 0; }\n");
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
  EXPECT_TRUE(names(report, Unreached::Kind::Function, "never"));
  EXPECT_TRUE(names(report, Unreached::Kind::Assertion, "never"));
  EXPECT_TRUE(names(report, Unreached::Kind::BranchSide, "main"));
  EXPECT_FALSE(names(report, Unreached::Kind::End, "main"));
}

TEST(Reach, ThreadsBeyondTheBoundAreCreatedAndDoNotRun) {
  // Main gets on behind its loop, where it races with each of them.
  const Report report = check(std::string(kPthreads) +
                                  "int x; void *f(void *p) { int seen = x; return seen ? p : 0; }\n"
                                  "int main(void) { static pthread_t t[300]; for (int i = 0; i < 300; i++) "
                                  "pthread_create(&t[i], 0, f, 0);\n"
                                  "  x++; return 0; }\n",
                              {}, 300'000);
  EXPECT_EQ(report.properties.at(Property::Race), Verdict::Violated) << report.problem;
}

TEST(Reach, ThreadsThatRanAreCounted) {
  const Report report =
      check(std::string(kPthreads) +
            "void *f(void *p) { return p; }\n"
            "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);\n"
            "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n");
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
  EXPECT_EQ(started(report, "f"), 2u);
  EXPECT_EQ(started(report, "main"), 1u);
  EXPECT_EQ(report.reach->functions.reached, report.reach->functions.all);
}

TEST(Reach, ArgumentsAreInputsAndGivenOnesAreNot) {
  const std::string text =
      "#include <stdlib.h>\n"
      "int main(int argc, char **argv) { if (argc < 2) return 0; assert(atoi(argv[1]) != 7); return 0; }\n";
  const Report any = check(text);
  EXPECT_EQ(any.properties.at(Property::Assert), Verdict::Violated) << any.problem;
  const Report silent = check("int main(int argc, char **argv) { (void)argc; (void)argv; return 0; }\n");
  EXPECT_EQ(silent.verdict, Verdict::Verified) << silent.problem;
  const Report bounded = check("int main(int argc, char **argv) { (void)argv; return argc > 9; }\n");
  EXPECT_EQ(bounded.verdict, Verdict::VerifiedWithinBounds) << bounded.problem;
  ASSERT_EQ(bounded.bounds.size(), 1u);
  EXPECT_EQ(bounded.bounds.front().kind, BoundKind::Arguments);
}

}  // namespace
}  // namespace heddle::test
