// The search of all joint states, and what it proves for an exploration.
#include <gtest/gtest.h>
#include <pthread.h>

#include "analysis/explore/states/linear_terms.h"
#include "analysis/explore/states/path_conditions.h"
#include "analysis/explore/states/state_search.h"
#include "analysis/pipeline/prepare.h"
#include "tests/unit/explore/random_program.h"

namespace heddle::test {
namespace {

TEST(StateSearch, MostRandomProgramsAreSearched) {
  int complete = 0;
  constexpr int kPrograms = 40;
  for (uint64_t seed = 0; seed < kPrograms; ++seed) {
    const RandomProgram program = randomSyncProgram(seed);
    complete += reachedByStates(program.text, program.inputs).complete;
  }
  EXPECT_GE(complete, kPrograms * 3 / 4);
}

TEST(StateSearch, MostRandomProgramsWithInputsAreSearched) {
  int complete = 0;
  constexpr int kPrograms = 40;
  for (uint64_t seed = 0; seed < kPrograms; ++seed)
    complete += reachedByStates(randomProgram(seed).text).complete;
  EXPECT_GE(complete, kPrograms * 3 / 4);
}

/// Two threads take jobs from a list, as many as an input says.
std::string pool(const std::string& claim) {
  return "typedef struct job { int amount; struct job *next; } job; job *head; int stop, done, sum;\n"
         "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
         "void *work(void *p) { for (;;) { pthread_mutex_lock(&m); while (!head && !stop) "
         "pthread_cond_wait(&c, &m);\n"
         " job *j = head; if (j) head = j->next, done++, sum += j->amount; pthread_mutex_unlock(&m);\n"
         " if (!j) return p; free(j); } }\n"
         "int main(void) { int n = heddle_input_int(), amount = heddle_input_int(); heddle_assume(n >= 0 && "
         "n <= "
         "2);\n"
         " pthread_t a, b; pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n"
         " for (int i = 0; i < n; i++) { job *j = malloc(sizeof *j); j->amount = amount; "
         "pthread_mutex_lock(&m);\n"
         "  j->next = head; head = j; pthread_cond_signal(&c); pthread_mutex_unlock(&m); }\n"
         " pthread_mutex_lock(&m); stop = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);\n"
         " pthread_join(a, 0); pthread_join(b, 0); assert(" +
         claim + "); return 0; }\n";
}

/// All that it finds and counts, whoever expands the states.
TEST(StateSearch, IsTheSameForAnyNumberOfWorkers) {
  const auto expectSame = [](const std::string& text) {
    const Reached alone = reachedByStates(text), three = reachedByStates(text, 3);
    EXPECT_EQ(alone.complete, three.complete) << text;
    EXPECT_EQ(alone.problem, three.problem) << text;
    EXPECT_EQ(alone.failures, three.failures) << text;
    EXPECT_EQ(alone.races, three.races) << text;
    EXPECT_EQ(alone.deadlock, three.deadlock) << text;
    EXPECT_EQ(alone.executions, three.executions) << text;
    EXPECT_EQ(alone.states, three.states) << text;
    EXPECT_EQ(alone.eagerSteps, three.eagerSteps) << text;
  };
  for (uint64_t seed = 0; seed < 25; ++seed) {
    expectSame(randomProgram(seed).text);
    expectSame(randomSyncProgram(seed).text);
    expectSame(randomSpinProgram(seed).text);
  }
  for (const char* claim : {"done == n", "done < 2", "sum != 86420"}) expectSame(pool(claim));
}

TEST(StateSearch, AnInputOfFewValuesIsAFewCases) {
  const Reached reached = reachedByStates(pool("done == n"));
  EXPECT_TRUE(reached.complete) << reached.problem;
  EXPECT_TRUE(reached.failures.empty());
  EXPECT_FALSE(reached.deadlock);
  EXPECT_EQ(reachedByStates(pool("done < 2")).failures.size(), 1u);
}

TEST(StateSearch, AnInputThatIsOnlyAddedUpCostsNoStates) {
  // Any amount at all: whether the sum is right is asked once, at the end.
  const Reached reached = reachedByStates(pool("(unsigned)sum == (unsigned)n * (unsigned)amount"));
  EXPECT_TRUE(reached.complete) << reached.problem;
  EXPECT_TRUE(reached.failures.empty());
  EXPECT_EQ(reachedByStates(pool("sum != 86420")).failures.size(), 1u);
}

TEST(StateSearch, WhatItFindsForAnInputIsExecutedWithThatInput) {
  const Report report = check(pool("done < 2"), {}, 400'000);
  EXPECT_EQ(report.properties.at(Property::Assert), Verdict::Violated) << report.problem;
  EXPECT_EQ(report.properties.at(Property::Race), Verdict::Verified) << report.problem;
  const Report correct = check(pool("done == n"), {}, 400'000);
  EXPECT_EQ(correct.verdict, Verdict::Verified) << correct.problem;
}

TEST(StateSearch, AnAddressThatDependsOnAnInputIsAFewCases) {
  const auto text = [](const std::string& most) {
    return "int at[4]; void *f(void *p) { at[2] = 1; return p; }\n"
           "int main(void) { unsigned k = heddle_input_unsigned(); heddle_assume(k <= " +
           most + "); pthread_t t; pthread_create(&t, 0, f, 0); at[k] = 2; pthread_join(t, 0); return 0; }\n";
  };
  const Reached apart = reachedByStates(text("1")), meets = reachedByStates(text("3"));
  EXPECT_TRUE(apart.complete && meets.complete) << apart.problem << meets.problem;
  EXPECT_TRUE(apart.races.empty());
  EXPECT_EQ(meets.races.size(), 1u);
  EXPECT_EQ(reachedByStates(text("4")).failures.size(), 1u);
}

TEST(StateSearch, ConditionsOfOtherInputsStayAsTheyAre) {
  TermTable terms;
  PathConditions conditions(terms);
  const Term a = terms.symbol(32), b = terms.symbol(32);
  const auto below = [&](Term x, uint64_t most) {
    return terms.binary(TermOp::Ult, x, terms.constant(most, 32));
  };
  const auto small = conditions.with(PathConditions::kAny, below(a, 5), 1, {});
  const auto both = conditions.with(*small, below(b, 9), 0, {});
  const auto other = conditions.with(PathConditions::kAny, below(b, 9), 0, {});
  EXPECT_EQ(conditions.with(*other, below(a, 5), 1, {}), both);
  const std::vector<uint64_t>& inputs = conditions.inputs(*both);
  EXPECT_LT(inputs.at(0), 5u);
  EXPECT_GE(inputs.at(1), 9u);
  // What follows is nothing new, what is stronger replaces it, and what contradicts it cannot be.
  EXPECT_EQ(conditions.with(*both, below(a, 6), 1, {}), both);
  EXPECT_EQ(conditions.with(*both, below(a, 6), 0, {}), std::nullopt);
  const auto stronger = conditions.with(*both, below(a, 2), 1, {});
  EXPECT_EQ(stronger, conditions.with(*other, below(a, 2), 1, {}));
  // By way of a third condition they have to do with each other.
  const auto linked = conditions.with(*both, terms.eq(a, b), 1, {});
  EXPECT_EQ(linked, std::nullopt);
}

TEST(StateSearch, SumsAreTheSameInAnyOrder) {
  TermTable terms;
  LinearTerms linear(terms);
  const Term a = terms.symbol(32), b = terms.symbol(32), c = terms.symbol(32);
  const auto plus = [&](Term x, Term y) { return terms.binary(TermOp::Add, x, y); };
  const Term one = plus(plus(a, b), c), other = plus(plus(c, a), b);
  EXPECT_EQ(linear.normal(one), linear.normal(other));
  EXPECT_EQ(linear.normal(terms.eq(one, other)), terms.boolean(true));
  EXPECT_EQ(linear.normal(terms.eq(plus(one, terms.constant(1, 32)), other)), terms.boolean(false));
  const Term least = terms.binary(TermOp::Sub, one, plus(b, a));
  EXPECT_EQ(linear.normal(least), c);
  // What is not sure stays a question.
  const Term open = linear.normal(terms.eq(plus(a, a), plus(b, c)));
  EXPECT_FALSE(terms.isConst(open));
  for (const std::vector<uint64_t>& values :
       std::vector<std::vector<uint64_t>>{{1, 1, 1}, {1, 2, 3}, {0x80000000, 0, 0}})
    EXPECT_EQ(terms.evaluate(open, values), terms.evaluate(terms.eq(plus(a, a), plus(b, c)), values));
}

TEST(StateSearch, AWaitWithALimitIsNoDeadlockAndHidesNone) {
  const auto text = [](const std::string& other) {
    return "#include <time.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; "
           "pthread_cond_t c = PTHREAD_COND_INITIALIZER; int x;\n"
           "void *f(void *p) { struct timespec at = {1, 0}; pthread_mutex_lock(&m); if (!x) "
           "pthread_cond_timedwait(&c, &m, &at);\n x++; pthread_mutex_unlock(&m); return p; }\n"
           "void *g(void *p) { " +
           other +
           " return p; }\n"
           "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);\n"
           " pthread_join(a, 0); pthread_join(b, 0); assert(x == 1); return 0; }\n";
  };
  const Reached free = reachedByStates(text(""));
  EXPECT_TRUE(free.complete) << free.problem;
  EXPECT_TRUE(free.failures.empty());
  EXPECT_FALSE(free.deadlock);
  const Reached stuck = reachedByStates(
      text("pthread_mutex_lock(&n); if (!x) pthread_cond_wait(&c, &n); pthread_mutex_unlock(&n);"));
  EXPECT_TRUE(stuck.complete) << stuck.problem;
  EXPECT_TRUE(stuck.deadlock);
}

TEST(StateSearch, AThreadThatComesBackToAHeadWithAnOlderLockIsSearched) {
  // The head of the loop is reached right after the mutex was taken, and after a write under it.
  const Reached reached = reachedByStates(
      "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int used, "
      "stop, done;\n"
      "void *f(void *p) { pthread_mutex_lock(&m); for (;;) { while (!used && !stop) pthread_cond_wait(&c, "
      "&m);\n"
      " if (!used) break; used--; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); done++; }\n"
      " pthread_mutex_unlock(&m); return p; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); for (int i = 0; i < 2; i++) {\n"
      " pthread_mutex_lock(&m); used++; pthread_cond_signal(&c); pthread_mutex_unlock(&m); }\n"
      " pthread_mutex_lock(&m); stop = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);\n"
      " pthread_join(t, 0); assert(done == 2); return 0; }\n");
  EXPECT_TRUE(reached.complete) << reached.problem;
  EXPECT_TRUE(reached.failures.empty());
}

TEST(StateSearch, ForksInARowAreLeftToQuestions) {
  std::string body;
  for (int i = 0; i < 24; ++i) body += "if (heddle_input_int() > 3) n += 1; else n = n + 1; ";
  const Reached reached =
      reachedByStates("int main(void) { int n = 0; " + body + " assert(n == 24); return 0; }\n");
  EXPECT_FALSE(reached.complete);
  EXPECT_LT(reached.executions, 100u);
}

TEST(StateSearch, ASemaphoreThatBeginsWithAnInputIsTwoCases) {
  const auto text = [](const std::string& least) {
    return "#include <semaphore.h>\nsem_t s; void *f(void *p) { sem_wait(&s); return p; }\n"
           "int main(void) { unsigned n = heddle_input_unsigned(); heddle_assume(n >= " +
           least +
           " && n < 9); sem_init(&s, 0, n); pthread_t a, b; pthread_create(&a, 0, f, 0);\n"
           " pthread_create(&b, 0, f, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
  };
  EXPECT_TRUE(reachedByStates(text("1")).deadlock);
  const Reached free = reachedByStates(text("2"));
  EXPECT_TRUE(free.complete) << free.problem;
  EXPECT_FALSE(free.deadlock);
}

std::string dekker(const std::string& late, int times) {
  // Mutual exclusion by flags and a turn; entered again and again. `late`: the first line of a round.
  return "int want[2], turn, inside; enum { kTimes = " + std::to_string(times) +
         " };\n"
         "void *thread(void *p) { int me = p != 0, other = !me;\n"
         " for (int i = 0; i < kTimes; i++) {\n" +
         late +
         "  while (__atomic_load_n(&want[other], 5)) if (__atomic_load_n(&turn, 5) != me) {\n"
         "   __atomic_store_n(&want[me], 0, 5); while (__atomic_load_n(&turn, 5) != me) ;\n"
         "   __atomic_store_n(&want[me], 1, 5); }\n"
         "  inside++; assert(inside == 1); inside--;\n"
         "  __atomic_store_n(&turn, other, 5); __atomic_store_n(&want[me], 0, 5); }\n"
         " return p; }\n"
         "int main(void) { pthread_t a, b; pthread_create(&a, 0, thread, 0); pthread_create(&b, 0, thread, "
         "(void *)1); pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
}

TEST(StateSearch, ALongAlternationIsProved) {
  const Report report = check(dekker("  __atomic_store_n(&want[me], 1, 5);\n", 12), {}, 400'000);
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
  EXPECT_GT(report.stats.states, 0u);
}

TEST(StateSearch, ItsBrokenTwinIsNot) {
  const Report report =
      check(dekker("  if (i < kTimes - 1) __atomic_store_n(&want[me], 1, 5);\n", 3), {}, 400'000);
  EXPECT_EQ(report.properties.at(Property::Assert), Verdict::Violated) << report.problem;
  EXPECT_EQ(report.properties.at(Property::Race), Verdict::Violated) << report.problem;
}

TEST(StateSearch, WhatItVisitedIsCutNoMore) {
  // A round that writes what is there already is an effect, so one execution can go on for ever. Proofs by
  // invariants do not know read-write locks.
  const Report report = check(
      "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int job, stop, done;\n"
      "pthread_rwlock_t unknown = PTHREAD_RWLOCK_INITIALIZER;\n"
      "void *worker(void *p) { for (;;) { pthread_mutex_lock(&m); int j = job, s = stop; job = 0;\n"
      "  pthread_mutex_unlock(&m); done += j; if (s) return p; } }\n"
      "void put(int *to) { pthread_mutex_lock(&m); *to = 1; pthread_mutex_unlock(&m); }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); put(&job); put(&stop);\n"
      "  pthread_join(t, 0); pthread_rwlock_rdlock(&unknown); pthread_rwlock_unlock(&unknown);\n"
      "  assert(done == 1); return 0; }\n");
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
  EXPECT_TRUE(report.bounds.empty());
  EXPECT_GT(report.stats.states, 0u);
}

TEST(StateSearch, AThreadThatWentRoundBeforeSharingWasKnownIsForgotten) {
  // Whichever thread comes first: at first nobody is known to write what it waits for.
  const Reached reached = reachedByStates(
      "int one, two;\n"
      "void *f(void *p) { while (__atomic_load_n(&two, 5) == 0) ; __atomic_store_n(&one, 1, 5); return p; }\n"
      "void *g(void *p) { __atomic_store_n(&two, 1, 5); while (__atomic_load_n(&one, 5) == 0) ; return p; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);\n"
      " pthread_join(a, 0); pthread_join(b, 0); return 0; }\n",
      {{}});
  EXPECT_TRUE(reached.complete) << reached.problem;
  EXPECT_FALSE(reached.deadlock);
}

TEST(StateSearch, WhatWasWrittenBeforeAnAssumptionFailsIsThereForOthers) {
  const Reached reached = reachedByStates(
      "int x, y; void *f(void *p) { int i = 0; __atomic_store_n(&x, 1, 5); heddle_assume(i != 0); return p; "
      "}\n"
      "void *g(void *p) { if (__atomic_load_n(&x, 5)) assert(0); return p; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);\n"
      " pthread_join(a, 0); pthread_join(b, 0); assert(0); return 0; }\n",
      {{}});
  EXPECT_TRUE(reached.complete) << reached.problem;
  EXPECT_EQ(reached.failures.size(), 1u);  // main never gets behind the join
  EXPECT_FALSE(reached.deadlock);
}

// Two threads that enter a critical section again and again for ever (Peterson). `leave`: what gives it back.
std::string peterson(const std::string& leave) {
  return "int want[2], turn, inside;\n"
         "void *thread(void *p) { int me = p != 0, other = !me;\n"
         " for (;;) {\n"
         "  __atomic_store_n(&want[me], 1, 5); __atomic_store_n(&turn, other, 5);\n"
         "  while (__atomic_load_n(&want[other], 5) && __atomic_load_n(&turn, 5) == other) ;\n"
         "  inside = me; assert(inside == me);\n"
         "  " +
         leave +
         " }\n"
         " return p; }\n"
         "int main(void) { pthread_t a, b; pthread_create(&a, 0, thread, 0); pthread_create(&b, 0, thread, "
         "(void *)1); pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
}

TEST(StateSearch, EndlessThreadsAreProvedWithoutABound) {
  const Report report = check(peterson("__atomic_store_n(&want[me], 0, 5);"), {}, 400'000);
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
  EXPECT_TRUE(report.bounds.empty());
}

TEST(StateSearch, AThreadThatWaitsForEverBesideAnEndlessOneIsStuck) {
  // The second one never gives the section back: the first one waits while it goes on.
  const std::string text = peterson(
      "if (me == 0) __atomic_store_n(&want[me], 0, 5);\n"
      "  else for (;;) __atomic_store_n(&turn, 1, 5);");
  const Reached reached = reachedByStates(text, {{}});
  EXPECT_TRUE(reached.complete) << reached.problem;
  EXPECT_TRUE(reached.deadlock);
  EXPECT_FALSE(reachedByStates(peterson("__atomic_store_n(&want[me], 0, 5);"), {{}}).deadlock);
}

TEST(StateSearch, AJoinOfAThreadThatGoesOnForEverIsNotStuckButOneInACircleIs) {
  const auto joins = [](const std::string& first) {
    return "int x; pthread_t a, b;\n"
           "void *f(void *p) { " +
           first +
           " for (;;) __atomic_fetch_xor(&x, 1, 5); return p; }\n"
           "void *g(void *p) { __atomic_load_n(&x, 5); pthread_join(a, 0); return p; }\n"
           "int main(void) { pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m);\n"
           " pthread_create(&b, 0, f, &m); a = b; pthread_create(&b, 0, g, 0);\n"
           " pthread_join(b, 0); return 0; }\n";
  };
  const Reached goesOn = reachedByStates(joins(""), {{}});
  EXPECT_TRUE(goesOn.complete) << goesOn.problem;
  EXPECT_FALSE(goesOn.deadlock);
  const Reached stuck = reachedByStates(joins("pthread_mutex_lock(p);"), {{}});
  EXPECT_TRUE(stuck.complete) << stuck.problem;
  EXPECT_TRUE(stuck.deadlock);
}

// A thread that polls under a lock lets others in between.
std::string polling(const std::string& other) {
  return "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int f;\n"
         "void *set(void *p) { pthread_mutex_lock(&m); " +
         other +
         " pthread_mutex_unlock(&m); return p; }\n"
         "void *poll(void *p) { pthread_mutex_lock(&m);\n"
         " while (!f) { pthread_mutex_unlock(&m); pthread_mutex_lock(&m); }\n"
         " pthread_mutex_unlock(&m); return p; }\n"
         "int main(void) { pthread_t a, b; pthread_create(&a, 0, set, 0); pthread_create(&b, 0, poll, 0);\n"
         " pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
}

TEST(Polling, UnderALockIsNoDeadlock) {
  const Report report = check(polling("f = 1;"));
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
}

TEST(Polling, UnderALockForWhatNeverComesIsOne) {
  for (const char* other : {"f = 0;", ";"}) {
    const Report report = check(polling(other));
    EXPECT_EQ(report.properties.at(Property::Deadlock), Verdict::Violated) << report.problem;
    ASSERT_EQ(report.findings.size(), 1u);
    const ReplayResult again = replayed(polling(other), report.findings[0].schedule);
    EXPECT_TRUE(again.ok) << again.error;
    EXPECT_FALSE(again.failures.empty());
  }
}

TEST(Polling, TwoWhoPollForEachOtherAreOne) {
  const Report report = check(
      "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int f, g;\n"
      "#define WAIT_FOR(c) pthread_mutex_lock(&m); while (!c) { pthread_mutex_unlock(&m); "
      "pthread_mutex_lock(&m); }\n"
      "void *a(void *p) { WAIT_FOR(g) f = 1; pthread_mutex_unlock(&m); return p; }\n"
      "void *b(void *p) { WAIT_FOR(f) g = 1; pthread_mutex_unlock(&m); return p; }\n"
      "int main(void) { pthread_t x, y; pthread_create(&x, 0, a, 0); pthread_create(&y, 0, b, 0);\n"
      " pthread_join(x, 0); pthread_join(y, 0); return 0; }\n");
  EXPECT_EQ(report.properties.at(Property::Deadlock), Verdict::Violated) << report.problem;
  EXPECT_EQ(report.properties.at(Property::Assert), Verdict::Verified) << report.problem;
}

/// Runs on a stack of 2 MiB.
void onSmallStack(void (*run)()) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 2u << 20);
  pthread_t thread;
  const auto start = [](void* function) -> void* {
    reinterpret_cast<void (*)()>(function)();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, start, reinterpret_cast<void*>(run)), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

TEST(StateSearch, AStepMayForkThousandsOfTimes) {
  onSmallStack([] {
    const Report report = check(
        "int a, sum; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        "void *work(void *p) { pthread_mutex_lock(&m); int x = a; unsigned s = 0;\n"
        " for (int i = 0; i < 20000; i++) if (x) s += i;\n"
        " sum += s; pthread_mutex_unlock(&m); return p; }\n"
        "int main(void) { pthread_t t, u; a = heddle_input_int();\n"
        " pthread_create(&t, 0, work, 0); pthread_create(&u, 0, work, 0);\n"
        " pthread_join(t, 0); pthread_join(u, 0); assert(a || !sum); return 0; }\n",
        {}, 20'000'000);
    EXPECT_EQ(report.problem, "");
    EXPECT_TRUE(report.findings.empty());
    EXPECT_GT(report.stats.states, 0u);
  });
}

/// Each input doubles the ways that lead on without an interleaving.
TEST(StateSearch, EagerStepsOnManyWaysEndWithTheBudget) {
  Snapshot snapshot;
  snapshot.path = "/nowhere/test.c";
  snapshot.text = withHeaders(
      "int kept[40]; int main(void) { for (int i = 0; i < 40; i++)\n"
      " if (heddle_input_int()) kept[i] = 1; return 0; }\n");
  const PreparedProgram prepared = prepare(snapshot, "main");
  ASSERT_TRUE(prepared.program) << prepared.problem;
  StateSearch search(*prepared.program, {prepared.entry, true, nullptr});
  const StateSearchResult result = search.run(1'000'000, Budget::forDuration(std::chrono::milliseconds(300)));
  EXPECT_FALSE(result.complete);
  EXPECT_FALSE(result.refused);
  EXPECT_EQ(result.problem, "out of budget");
}

}  // namespace
}  // namespace heddle::test
