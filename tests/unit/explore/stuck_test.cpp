// Deadlocks among all kinds of synchronization objects, and what is said of them.
#include <gtest/gtest.h>

#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

const char* const kTwo =
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int x;\n"
    "void *wait(void *p) { pthread_mutex_lock(&m); %s pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); "
    "return p; }\n"
    "int main(void) { pthread_t a, b; pthread_create(&a, 0, wait, 0); %s pthread_join(a, 0); return b = 0; "
    "}\n";

std::string program(const char* condition, const char* rest) {
  char text[2000];
  std::snprintf(text, sizeof text, kTwo, condition, rest);
  return text;
}

std::string deadlockOf(const std::string& text) {
  const Report report = check(text);
  std::string all;
  for (const Finding& finding : report.findings) all += finding.message + "\n";
  if (report.findings.empty()) {
    EXPECT_EQ(toString(report.verdict), std::string("verified")) << report.problem;
  }
  return all;
}

TEST(Stuck, SaysWhyNobodyWakesAThread) {
  EXPECT_EQ(deadlockOf(program("", "")), "deadlock: T1 waits for a signal on 'c', which nobody gives\n");
  EXPECT_EQ(deadlockOf(program("", "pthread_cond_signal(&c);")),
            "deadlock: T1 waits for a signal on 'c', which came before it waited (lost wake-up)\n");
  EXPECT_EQ(deadlockOf(program("",
                               "pthread_create(&b, 0, wait, 0); pthread_mutex_lock(&m); x = 1; "
                               "pthread_mutex_unlock(&m); pthread_cond_broadcast(&c); pthread_join(b, 0);"))
                .substr(0, 40),
            "deadlock: T1 waits for a signal on 'c', ");
  const std::string both = deadlockOf(program("", "pthread_create(&b, 0, wait, 0); pthread_join(b, 0);"));
  EXPECT_EQ(both.substr(0, both.find('\n')),
            "deadlock: T1 waits for a signal on 'c', T2 waits for a signal on 'c', which nobody gives")
      << "one reason for both";
  EXPECT_EQ(
      deadlockOf(program(
          "while (!x)", "pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);")),
      "");
}

TEST(AtomicSections, CountingThroughThemIsNoSearch) {
  const std::string text =
      "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int x;\n"
      "void *t(void *p) { for (int i = 0; i < 6; i++) { __VERIFIER_atomic_begin(); x = x + 1; "
      "__VERIFIER_atomic_end(); } return p; }\n"
      "int main(void) { pthread_t a, b, c; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0); "
      "pthread_create(&c, 0, t, 0); pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0); "
      "assert(x == 18); return 0; }\n";
  const Report report = check(text, {}, 20'000);
  EXPECT_EQ(toString(report.verdict), std::string("verified")) << report.problem;
}

TEST(Stuck, AWitnessHasAStepToBeLookedAt) {
  const Report report = check("_Atomic int ready; int main(void) { while (!ready) {} return 0; }");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_FALSE(report.findings.front().schedule.empty());
}

TEST(Stuck, FindsTheReasonAmongThreadsThatWait) {
  // T1 waits for the semaphore, main for T1: only the former is the reason.
  EXPECT_EQ(deadlockOf("#include <semaphore.h>\nsem_t s;\n"
                       "void *t(void *p) { sem_wait(&s); return p; }\n"
                       "int main(void) { pthread_t a; sem_init(&s, 0, 0); pthread_create(&a, 0, t, 0);\n"
                       "pthread_join(a, 0); return 0; }\n"),
            "deadlock: T1 waits for semaphore 's'\n");
}

TEST(Stuck, TheEndOfTheProcessEndsAllWaiting) {
  EXPECT_EQ(
      deadlockOf(
          "#include <semaphore.h>\nsem_t s;\n"
          "void *t(void *p) { sem_wait(&s); return p; }\n"
          "int main(void) { pthread_t a; sem_init(&s, 0, 0); pthread_create(&a, 0, t, 0); return 0; }\n"),
      "");
}

std::string besideAnIdleThread(const std::string& round, const std::string& waits) {
  return "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x; pthread_t a, b;\n"
         "void *idle(void *p) { for (;;) { pthread_mutex_lock(&m); " +
         round +
         " pthread_mutex_unlock(&m); } return p; }\n"
         "void *waits(void *p) { " +
         waits +
         " return p; }\n"
         "int main(void) { pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&never);\n"
         " pthread_create(&a, 0, idle, 0); pthread_create(&b, 0, waits, &never); pthread_join(b, 0); return "
         "0; "
         "}\n";
}

TEST(Stuck, AThreadThatGoesRoundAndLooksAtNothingIsNotNorWhoJoinsIt) {
  for (const char* waits :
       {"", "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", "pthread_join(a, 0);"})
    for (const char* round : {"", "int seen = x; assert(seen >= 0);"}) {
      const Report report = check(besideAnIdleThread(round, waits));
      EXPECT_EQ(report.properties.at(Property::Deadlock), Verdict::Verified) << waits << report.problem;
    }
}

TEST(Stuck, WhoWaitsBesideItIs) {
  const std::string text = besideAnIdleThread("", "pthread_mutex_lock(p);");
  const Report report = check(text);
  EXPECT_EQ(report.properties.at(Property::Deadlock), Verdict::Violated) << report.problem;
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_TRUE(replayed(text, report.findings[0].schedule).ok);
}

TEST(Stuck, AThreadThatGoesRoundUntilItSeesAnotherValueIsAndWhoJoinsIt) {
  const Report report = check(besideAnIdleThread("if (x == 1) break;", "pthread_join(a, 0); x = 1;"));
  EXPECT_EQ(report.properties.at(Property::Deadlock), Verdict::Violated) << report.problem;
}

TEST(Stuck, WhoGoesRoundOverItsOwnVariablesIsNotAlsoWhereEveryAccessIsAnEvent) {
  const char* const kText =
      "void *own(void *p) { volatile int open = 1; while (open) if (open == 2) open = 0; return p; }\n"
      "int main(void) { pthread_t a; pthread_create(&a, 0, own, 0); pthread_join(a, 0); return 0; }\n";
  for (const bool everyAccess : {false, true}) {
    Options options;
    options.everyAccessIsEvent = everyAccess;
    EXPECT_EQ(check(kText, options).properties.at(Property::Deadlock), Verdict::Verified) << everyAccess;
  }
}

TEST(Stuck, WhatDecidesWhetherALoopIsLeftIsNamed) {
  const char* const kBefore =
      "int stop, count; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "int isStopped(void) { pthread_mutex_lock(&m); int now = stop; pthread_mutex_unlock(&m); return now; "
      "}\n"
      "void *add(void *p) { pthread_mutex_lock(&m); count++; pthread_mutex_unlock(&m); return p; }\n"
      "int main(void) { pthread_t a; pthread_create(&a, 0, add, 0); ";
  for (const char* loop : {"while (!isStopped()) ;",
                           "for (;;) { pthread_mutex_lock(&m); int seen = count; int now = stop;\n"
                           "  pthread_mutex_unlock(&m); if (now) return seen; }"})
    EXPECT_EQ(deadlockOf(std::string(kBefore) + loop + " return 0; }\n"), "deadlock: T0 waits for 'stop'\n")
        << loop;
}

TEST(Stuck, ATimedWaitIsNotStuck) {
  EXPECT_EQ(
      deadlockOf(
          "struct timespec now; pthread_mutex_t m; pthread_cond_t c;\n"
          "int main(void) { pthread_mutex_lock(&m); pthread_cond_timedwait(&c, &m, &now); return 0; }\n"),
      "");
}

}  // namespace
}  // namespace heddle::test
