// The reference interpreter on programs whose answer is known, and a few random ones against the engine.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/paths/paths.h"
#include "tests/reference/compare.h"
#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

reference::Decision decided(const std::string& text, const reference::Rules& rules = {}) {
  const reference::Decision decision = reference::decide(withHeaders(text), rules);
  EXPECT_EQ(decision.problem, "");
  return decision;
}

const char* const kTwoThreads =
    "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0); AT_THE_END return 0; }\n";

TEST(Reference, FindsTheLostUpdateAndItsRace) {
  const auto decision = decided(
      std::string("#define AT_THE_END assert(x == 2);\nint x; void *f(void *p) { int r = x; x = r + 1; "
                  "return p; }\nvoid *g(void *p) { return f(p); }\n") +
      kTwoThreads);
  EXPECT_TRUE(decision.violates("assert"));
  EXPECT_TRUE(decision.violates("race"));
  EXPECT_FALSE(decision.deadlock);
}

TEST(Reference, VerifiesTheSameUnderALock) {
  const auto decision = decided(
      std::string(
          "#define AT_THE_END assert(x == 2);\nint x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
          "void *f(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return p; }\n"
          "void *g(void *p) { return f(p); }\n") +
      kTwoThreads);
  EXPECT_TRUE(decision.failures.empty());
  EXPECT_TRUE(decision.races.empty());
  EXPECT_FALSE(decision.deadlock);
}

TEST(Reference, WaitingForWhatNobodyWritesIsADeadlock) {
  const std::string text =
      "int a, b; void *f(void *p) { while (!b) ; a = 1; return p; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); FIRST while (!a) ; b = 1; "
      "pthread_join(t, 0); return 0; }\n";
  EXPECT_TRUE(decided("#define FIRST\n" + text).deadlock);
  EXPECT_FALSE(decided("#define FIRST b = 1;\n" + text).deadlock);
}

TEST(Reference, LocksInOppositeOrderAreADeadlockAlsoWhereMainEnds) {
  const std::string text =
      "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\n"
      "#define BOTH(x, y) pthread_mutex_lock(&x); pthread_mutex_lock(&y); pthread_mutex_unlock(&y); "
      "pthread_mutex_unlock(&x)\n"
      "void *f(void *p) { BOTH(m, n); return p; }\nvoid *g(void *p) { SECOND; return p; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); return 0; "
      "}\n";
  EXPECT_TRUE(decided("#define SECOND BOTH(n, m)\n" + text).deadlock);
  EXPECT_FALSE(decided("#define SECOND BOTH(m, n)\n" + text).deadlock);
}

TEST(Reference, WhatHappenedBeforeAnAssumptionStands) {
  const std::string text =
      "#define AT_THE_END\nint x; void *f(void *p) { int i = heddle_input_int(); __atomic_store_n(&x, i, 5); "
      "heddle_assume(i == 0); return p; }\n"
      "void *g(void *p) { assert(__atomic_load_n(&x, 5) == 0); return p; }\n";
  EXPECT_TRUE(decided(text + kTwoThreads).violates("assert"));
}

TEST(Reference, SpuriousWakeupsBreakAnIfAndNotAWhile) {
  const std::string text =
      "#define AT_THE_END\nint ready; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = "
      "PTHREAD_COND_INITIALIZER;\n"
      "void *f(void *p) { pthread_mutex_lock(&m); TEST (!ready) pthread_cond_wait(&c, &m); assert(ready); "
      "pthread_mutex_unlock(&m); return p; }\n"
      "void *g(void *p) { pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); "
      "pthread_mutex_unlock(&m); return p; }\n";
  EXPECT_TRUE(decided("#define TEST if\n" + text + kTwoThreads).violates("assert"));
  EXPECT_FALSE(decided("#define TEST while\n" + text + kTwoThreads).violates("assert"));
  reference::Rules never;
  never.spuriousWakeups = false;
  EXPECT_FALSE(decided("#define TEST if\n" + text + kTwoThreads, never).violates("assert"));
}

TEST(Reference, AddressesComeBack) {
  const std::string text =
      "#define AT_THE_END\nvoid *f(void *p) { int *a = malloc(4); free(a); int *b = malloc(4); assert(a != "
      "b); "
      "free(b); return p; }\nvoid *g(void *p) { return p; }\n";
  EXPECT_TRUE(decided(text + kTwoThreads).violates("assert"));
}

TEST(Reference, FindsUseAfterFree) {
  const std::string text =
      "#define AT_THE_END\nint *x; void *f(void *p) { free(x); return p; }\nvoid *g(void *p) { LOOK return "
      "p; }\n"
      "int main(void) { pthread_t a, b; x = calloc(1, 4); pthread_create(&a, 0, f, 0); "
      "pthread_create(&b, 0, g, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
  EXPECT_TRUE(decided("#define LOOK *x = 1;\n" + text).violates("memory"));
  EXPECT_FALSE(decided("#define LOOK\n" + text).violates("memory"));
}

TEST(Reference, AnAtomicSectionThatCannotEndHasNotBegun) {
  const std::string text =
      "#define AT_THE_END\nvoid __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\nint x;\n"
      "void *f(void *p) { __VERIFIER_atomic_begin(); x = 1; heddle_assume(0); __VERIFIER_atomic_end(); "
      "return p; }\n"
      "void *g(void *p) { assert(x == 0); return p; }\n";
  const auto decision = decided(text + kTwoThreads);
  EXPECT_FALSE(decision.violates("assert"));
  EXPECT_FALSE(decision.violates("race"));
}

TEST(Reference, RefusesWhatItDoesNotKnow) {
  EXPECT_NE(reference::decide(withHeaders("int poll(void); int main(void) { return poll(); }")).problem, "");
  EXPECT_NE(reference::decide("not C").problem, "");
}

/// A small part of what `reference` compares (docs/testing.md).
class RandomPrograms : public ::testing::TestWithParam<const char*> {};

TEST_P(RandomPrograms, AreDecidedAsByTheReference) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const std::string text = randomText(GetParam(), seed);
    const Comparison result = compare(text);
    std::string all = result.undecided;
    for (const std::string& difference : result.differences) all += difference + "; ";
    EXPECT_EQ(all, "") << "seed " << seed << "\n" << withHeaders(text);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, RandomPrograms,
                         ::testing::Values("plain", "sync", "spin", "mixed", "inputs", "sections"));

/// Atomic sections in which the process ends, that only another access lets pass, and that stop in their
/// middle.
TEST(Reference, AgreesOnRandomProgramsThatDifferedOnce) {
  for (const uint64_t seed : {1019, 1063, 10041, 10446, 11052, 11733, 11961, 21873, 32861, 70361, 71261}) {
    const Comparison result = compare(randomText("sync", seed));
    EXPECT_EQ(result.undecided, "") << seed;
    for (const std::string& difference : result.differences) ADD_FAILURE() << seed << ": " << difference;
  }
}

/// The end of a thread that fails in an atomic section came before the section in a plan.
TEST(Reference, WhoFailsInAnAtomicSectionEndsBehindIt) {
  const std::pair<const char*, uint64_t> programs[] = {
      {"mpc-s2-fixed", 60049}, {"mpc-s2-fixed", 500193}, {"mcr", 60193}, {"mcr", 600117}};
  for (const auto& [strategy, seed] : programs) {
    CompareOptions options;
    options.strategy = strategy;
    for (const std::string& difference : compare(randomText("sync", seed), options).differences)
      ADD_FAILURE() << strategy << " " << seed << ": " << difference;
  }
}

/// The census took a thread that goes round for one that keeps its mutex for ever.
TEST(Reference, WhoGoesRoundLetsOthersLock) {
  CompareOptions options;
  options.strategy = "mpc-s2-fixed";
  for (const std::string& difference : compare(randomText("spin", 500906), options).differences)
    ADD_FAILURE() << difference;
}

/// The search of states counted other events than the exploration that was to show its races, or the run that
/// showed one taught what is shared.
TEST(Reference, RacesOfTheSearchOfStatesAreShown) {
  for (const auto& [kind, seed] :
       {std::pair{"sync", 32009}, {"spin", 200298}, {"spin", 201462}, {"spin", 202994}}) {
    const Comparison result = compare(randomText(kind, static_cast<uint64_t>(seed)));
    EXPECT_EQ(result.undecided, "") << kind << " " << seed;
    for (const std::string& difference : result.differences) ADD_FAILURE() << seed << ": " << difference;
  }
}

/// A thread came to a lock that it had only waited for, and an assumption stopped it there.
TEST(Reference, AnEventThatWasOnlyWaitedForIsNews) {
  CompareOptions options;
  options.strategy = "mpc-s2-fixed";
  for (const uint64_t seed : {402791, 404231})
    for (const std::string& difference : compare(randomText("mixed", seed), options).differences)
      ADD_FAILURE() << seed << ": " << difference;
}

/// The search of states took what was never written for 0 and said nothing of its use.
TEST(Reference, WhatWasNeverWrittenIsUsedBesideManyStates) {
  for (const std::string& difference : compare(randomText("mixed", 5005319)).differences)
    ADD_FAILURE() << difference;
}

/// The search of states knew that threads wait for ever, and no question could show it.
TEST(Reference, StuckStatesOfTheSearchOfStatesAreShown) {
  for (const uint64_t seed : {1003382, 1015862}) {
    const Comparison result = compare(randomText("spin", seed));
    EXPECT_EQ(result.undecided, "") << seed;
    for (const std::string& difference : result.differences) ADD_FAILURE() << seed << ": " << difference;
  }
}

/// A race that only a racy flag orders did not replay: sections that share nothing were taken as in order.
TEST(Reference, SectionsThatShareNothingOrderNothing) {
  const Comparison result = compare(randomText("mixed", 8200629));
  EXPECT_EQ(result.undecided, "");
  for (const std::string& difference : result.differences) ADD_FAILURE() << difference;
}

/// A round that gave up the mutex of what had been done before it was left out of the path.
TEST(Reference, WhatOthersDoWhileARoundGivesUpItsMutexIsSeen) {
  for (const uint64_t seed : {12, 35, 59, 60, 954}) {
    const Comparison result = compare(randomText("sections", seed));
    EXPECT_EQ(result.undecided, "") << seed;
    for (const std::string& difference : result.differences) ADD_FAILURE() << seed << ": " << difference;
  }
}

/// Two threads wait for one another, and a third one then ends the process: every state led to an end.
TEST(Reference, WhoWaitsInACircleWaitsThoughAnotherEndsTheProcess) {
  const Comparison result = compare(randomText("plain", 7012496));
  EXPECT_EQ(result.undecided, "");
  for (const std::string& difference : result.differences) ADD_FAILURE() << difference;
}

/// A thread alone tried a compare-exchange again that cannot succeed, and asked in each round whether it
/// fails without reason: memory without end, in one run.
TEST(Reference, WhatFailsAnywayDoesNotFailWithoutReason) {
  for (const std::string& difference : compare(randomText("mixed", 7016027)).differences)
    ADD_FAILURE() << difference;
}

/// What a thread wrote in an atomic section was looked at in the middle of it, or only its first write.
TEST(Reference, Con2colicSeesWhatAtomicSectionsWrote) {
  CompareOptions options;
  options.strategy = "con2colic";
  for (const uint64_t seed : {60565, 100449, 101509}) {
    const Comparison result = compare(randomText("sync", seed), options);
    EXPECT_EQ(result.undecided, "") << seed;
    for (const std::string& difference : result.differences) ADD_FAILURE() << seed << ": " << difference;
  }
}

/// The run that was to show a race taught that more is shared, after the exploration: it ended in a crash.
TEST(Reference, ARunAfterTheExplorationMayTeachWhatIsShared) {
  CompareOptions options;
  options.bits = 32;
  for (const std::string& difference : compare(randomText("spin", 50766), options).differences)
    ADD_FAILURE() << difference;
}

/// What fails in these happens by itself, so the oracle of tests/programs leaves them out.
TEST(Reference, JudgesTheProgramsWhereSomethingHappensByItself) {
  for (const std::string name :
       {"language/address_comes_back", "sync/cas_weak_once", "sync/cond_flag_without_lock",
        "sync/cond_lost_wakeup", "sync/wait_before_look", "sync/wait_ends_by_itself",
        "sync/done_before_stored"}) {
    const auto judge = [](const std::string& path) {
      std::ifstream file(sourceDirectory() + "/tests/programs/" + path + ".c");
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      const std::string expected = text.substr(0, text.find('('));
      const reference::Decision decision = reference::decide(text);
      EXPECT_EQ(decision.problem, "") << path;
      for (const std::string property : {"assert", "race", "deadlock", "memory"}) {
        const bool isNamed = expected.find(property + "=") != std::string::npos;
        if (isNamed) {
          EXPECT_EQ(decision.violates(property), expected.find(property + "=violated") != std::string::npos)
              << path << " " << property;
        }
      }
      return expected;
    };
    const std::string expected = judge(name);
    EXPECT_NE(expected.find("assert=violated"), std::string::npos) << name;
    const size_t twin = expected.find("twin=") + 5;
    judge(name.substr(0, name.find('/') + 1) + expected.substr(twin, expected.find(' ', twin) - twin));
  }
}

/// An atomic section that only what another thread writes lets pass races with that write; one in which the
/// process ends takes part.
TEST(Reference, AtomicSectionsRaceWithWhatTheyAreNextTo) {
  const std::string main =
      "int x; int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 1; return 0; }\n";
  const auto section = [&](const std::string& body) {
    return decided(
        "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); extern int x;\n"
        "void *f(void *p) { __VERIFIER_atomic_begin(); " +
        body + " __VERIFIER_atomic_end(); return p; }\n" + main);
  };
  EXPECT_TRUE(section("heddle_assume(x == 1);").violates("race"));
  EXPECT_FALSE(section("heddle_assume(x == 2);").violates("race"));
  EXPECT_TRUE(section("x = 2; assert(0);").violates("race"));
}

}  // namespace
}  // namespace heddle::test
