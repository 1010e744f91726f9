// What cannot be explored in full is explored within bounds on its loops.
#include <gtest/gtest.h>

#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

Report searched(const std::string& text, uint64_t steps = 6'000) {
  return check("int __VERIFIER_nondet_int(void);\n" + text, {}, steps);
}

bool isCutAfterRounds(const Report& report) {
  return std::any_of(report.bounds.begin(), report.bounds.end(),
                     [](const NamedBound& bound) { return bound.kind == BoundKind::LoopRounds; });
}

/// With a call that no proof by invariants knows.
std::string endless(const std::string& check) {
  return "int n; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_rwlock_t c = "
         "PTHREAD_RWLOCK_INITIALIZER;\n"
         "void *add(void *p) { while (__VERIFIER_nondet_int()) { pthread_mutex_lock(&m); if (n < 1000) "
         "n++; " +
         check +
         " pthread_rwlock_rdlock(&c); pthread_rwlock_unlock(&c); pthread_mutex_unlock(&m); } return p; }\n"
         "int main(void) { pthread_t a; pthread_create(&a, 0, add, 0); pthread_mutex_lock(&m); n = 0; "
         "pthread_mutex_unlock(&m); pthread_join(a, 0); return 0; }\n";
}

TEST(Search, AnEndlessLoopIsVerifiedWithinANamedBound) {
  const Report report = searched(endless("assert(n > 0);"));
  EXPECT_EQ(report.verdict, Verdict::VerifiedWithinBounds) << report.problem;
  EXPECT_TRUE(isCutAfterRounds(report));
}

TEST(Search, ABugInAFirstRoundOfAnEndlessLoopIsFound) {
  const Report report = searched(endless("assert(n != 3);"));
  EXPECT_EQ(report.properties.at(Property::Assert), Verdict::Violated) << report.problem;
}

TEST(Search, AnyNumberOfThreadsIsCutToAFew) {
  const std::string many =
      "int n; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "void *add(void *p) { LOCK n++; UNLOCK return p; }\n"
      "int main(void) { pthread_t t; while (1) pthread_create(&t, 0, add, 0); }\n";
  const Report locked = searched(
      "#define LOCK pthread_mutex_lock(&m);\n#define UNLOCK pthread_mutex_unlock(&m);\n" + many, 60'000);
  EXPECT_EQ(locked.properties.at(Property::Race), Verdict::VerifiedWithinBounds) << locked.problem;
  const Report open = searched("#define LOCK\n#define UNLOCK\n" + many, 60'000);
  EXPECT_EQ(open.properties.at(Property::Race), Verdict::Violated) << open.problem;
}

TEST(Search, LoopsThatFeedEachOtherAreRunInStep) {
  const std::string sums =
      "int i = 1, j = 1;\n"
      "void *one(void *p) { for (int k = 0; k < 11; k++) i += j; return p; }\n"
      "void *two(void *p) { for (int k = 0; k < 11; k++) j += i; return p; }\n"
      "int main(void) { pthread_t t, u; pthread_create(&t, 0, one, 0); pthread_create(&u, 0, two, 0);\n"
      "  pthread_join(t, 0); pthread_join(u, 0); assert(j < LIMIT); return 0; }\n";
  EXPECT_EQ(searched("#define LIMIT 46368\n" + sums, 1'500).properties.at(Property::Assert),
            Verdict::Violated);
  EXPECT_NE(searched("#define LIMIT 46369\n" + sums, 1'500).properties.at(Property::Assert),
            Verdict::Violated);
}

std::string arrayOfAnySize(const std::string& condition) {
  return "int *a;\n"
         "void *set(void *p) { a[1] = 5; return p; }\n"
         "int main(void) { pthread_t t; int n = __VERIFIER_nondet_int(); if (" +
         condition +
         ") return 0;\n"
         "  a = calloc((unsigned long)n, sizeof(int));\n"
         "  pthread_create(&t, 0, set, 0); pthread_join(t, 0); return a[1] - 5; }\n";
}

TEST(Search, AllocationsOfAnySizeAreCutToSmallOnes) {
  const Report report = searched(arrayOfAnySize("n < 2"), 60'000);
  EXPECT_EQ(report.verdict, Verdict::VerifiedWithinBounds) << report.problem;
  EXPECT_TRUE(std::any_of(report.bounds.begin(), report.bounds.end(),
                          [](const NamedBound& bound) { return bound.kind == BoundKind::AllocationSize; }));
  EXPECT_EQ(searched(arrayOfAnySize("n < 1")).properties.at(Property::Memory), Verdict::Violated);
  EXPECT_EQ(searched(arrayOfAnySize("n < 2 || n > 6"), 60'000).verdict, Verdict::Verified);
}

std::string untilAnInput(const std::string& input) {
  return "int n;\n"
         "void *user(void *p) { int open = 1; while (open) if (" +
         input +
         ") open = 0; n = 1; return p; }\n"
         "int main(void) { pthread_t t; pthread_create(&t, 0, user, 0); pthread_join(t, 0); assert(n == 1); "
         "return 0; }\n";
}

TEST(Search, WhoeverWaitsForAThreadThatGoesRoundUntilAnInputIsNotStuck) {
  const Report asks = searched(untilAnInput("__VERIFIER_nondet_int() == 2"));
  EXPECT_NE(asks.properties.at(Property::Deadlock), Verdict::Violated) << asks.problem;
  // Nor who waits for one that looks at its own variables only: it is no wait (docs/awaits.md, 4).
  const Report own = searched(untilAnInput("open == 2"));
  EXPECT_EQ(own.properties.at(Property::Deadlock), Verdict::Verified) << own.problem;
  const Report shared = searched("int stop; " + untilAnInput("stop == 2"));
  EXPECT_EQ(shared.properties.at(Property::Deadlock), Verdict::Violated) << shared.problem;
}

TEST(Search, WaitingInALoopOfALoopDoesNotCount) {
  // Three threads in the filter lock; without an input it would be proved by its states.
  const Report report = searched(
      "int level[3], victim[3], held;\n"
      "void *enter(void *p) { int me = (int)(long)p;\n"
      "  for (int l = 1; l < 3; l++) { level[me] = l; victim[l] = me;\n"
      "    for (;;) { int wait = 0; for (int o = 0; o < 3; o++) if (o != me && level[o] >= l) { wait = 1; "
      "break; "
      "}\n"
      "      if (!wait || victim[l] != me) break; } }\n"
      "  assert(held == 0); held = 1; held = 0; level[me] = 0; return p; }\n"
      "int main(void) { pthread_t t[3]; if (__VERIFIER_nondet_int()) held = 0;\n"
      "  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, enter, (void *)i);\n"
      "  for (int i = 0; i < 3; i++) pthread_join(t[i], 0); return 0; }\n",
      2'000'000);
  EXPECT_EQ(report.properties.at(Property::Assert), Verdict::Verified) << report.problem;
}

TEST(Search, ALoopWithAnEndIsNotCut) {
  const Report report = searched(
      "int n; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "void *add(void *p) { for (int i = 0; i < 6; i++) { pthread_mutex_lock(&m); n++; "
      "pthread_mutex_unlock(&m); } return p; }\n"
      "int main(void) { pthread_t a; pthread_create(&a, 0, add, 0); add(0); pthread_join(a, 0); assert(n == "
      "12); return 0; }\n",
      1'000'000);
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
}

TEST(Search, ARoundThatOnlyAsksForAnInputIsAWait) {
  const std::string loop =
      "int go, seen;\n"
      "void *work(void *p) { int mine; while (1) { mine = __atomic_load_n(&go, 5); if "
      "(__VERIFIER_nondet_int()) break; }\n"
      "  seen = mine; return p; }\n"
      "int main(void) { pthread_t a; pthread_create(&a, 0, work, 0); __atomic_store_n(&go, 1, 5); "
      "pthread_join(a, 0);\n";
  const Report right = searched(loop + "  assert(seen == 0 || seen == 1); return 0; }\n", 1'000'000);
  EXPECT_EQ(right.verdict, Verdict::Verified) << right.problem;
  EXPECT_EQ(searched(loop + "  assert(seen == 0); return 0; }\n").properties.at(Property::Assert),
            Verdict::Violated);
  EXPECT_EQ(searched(loop + "  assert(seen == 1); return 0; }\n").properties.at(Property::Assert),
            Verdict::Violated);
}

TEST(Search, AFailureThatOtherThreadsDecideIsNoContradictionOfOurs) {
  // Whether another thread holds the lock in what is freed is told by no event of this one.
  const std::string text =
      "struct device { pthread_mutex_t m; int n; };\n"
      "void *run(void *p) { struct device *d = p; pthread_mutex_lock(&d->m); d->n += 3;\n"
      "  pthread_mutex_unlock(&d->m); return 0; }\n"
      "int main(void) { struct device *d = calloc(1, sizeof *d); pthread_mutex_init(&d->m, 0);\n"
      "  pthread_t a, b; pthread_create(&a, 0, run, d); pthread_create(&b, 0, run, d);\n"
      "  pthread_join(a, 0); assert(d->n >= 3); free(d); return 0; }\n";
  for (const char* strategy : {"forest", "mpc-s1", "con2colic"}) {
    Options options;
    options.strategy = strategy;
    const Report report = check(text, options, 60'000);
    EXPECT_EQ(report.properties.at(Property::Misuse), Verdict::Violated) << strategy;
    EXPECT_NE(report.problemKind, ProblemKind::Ours) << strategy << ": " << report.problem;
  }
}

}  // namespace
}  // namespace heddle::test
