// What happens by itself: waits that end without a signal, weak compare-exchanges that fail without reason.
#include <gtest/gtest.h>

#include "analysis/compile/compile_command.h"
#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

Report explored(const std::string& text, const Environment& environment = {}) {
  Snapshot snapshot;
  snapshot.path = "/test/a.c";
  snapshot.text = withHeaders(text);
  snapshot.command = commandFromFlags(snapshot.path, {});
  snapshot.environment = environment;
  Options options;
  options.properties = {Property::Assert, Property::Deadlock};
  return analyze(snapshot, options, Budget().withSteps(2'000'000));
}

/// The waiter looks again when it wakes, or does not; `before`: what it does with the mutex before it looks,
/// `round`: after each wait.
Report waiting(const std::string& look, const Environment& environment = {}, const std::string& before = "",
               const std::string& round = "") {
  return explored(R"(
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    int ready, told;
    void *set(void *u) { pthread_mutex_lock(&m); ready = 1 + told; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return u; }
    int main(void) {
      pthread_t t; pthread_create(&t, 0, set, 0);
      pthread_mutex_lock(&m);
      )" + before + "\n" +
                      look + " (!ready) { pthread_cond_wait(&c, &m); " + round + R"( }
      assert(ready);
      pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }
  )",
                  environment);
}

TEST(Spurious, AWaitWithoutALoopIsFound) {
  const Report found = waiting("if");
  EXPECT_EQ(found.properties.at(Property::Assert), Verdict::Violated) << found.problem;
  EXPECT_EQ(found.properties.at(Property::Deadlock), Verdict::Verified) << found.problem;
}

TEST(Spurious, WithoutThemTheAssumptionIsNamed) {
  const Report report = waiting("if", {.noSpuriousWakeups = true});
  EXPECT_EQ(report.properties.at(Property::Assert), Verdict::VerifiedWithinBounds) << report.problem;
  ASSERT_EQ(report.assumptions.size(), 1u);
  EXPECT_EQ(report.assumptions.front().text, "no wait on a condition variable ends without a signal");
}

TEST(Spurious, ALoopWithstandsThemAndNothingIsAdded) {
  for (const bool none : {false, true}) {
    const Report report = waiting("while", {.noSpuriousWakeups = none});
    EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
    EXPECT_EQ(report.stats.paths, 2u);
  }
}

/// What the thread did under the mutex before it waited, others find while it waits: one wake-up without a
/// signal stays, after which it has the mutex as if it came to the loop only now; those after it add nothing.
TEST(Spurious, AnEffectBeforeTheWaitAddsOneRound) {
  const Report report = waiting("while", {}, "told = 1;");
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
  EXPECT_EQ(report.stats.paths, 2 * waiting("while", {.noSpuriousWakeups = true}, "told = 1;").stats.paths);
}

TEST(Spurious, ALoopThatCountsThemIsBoundedAndTheBoundIsNamed) {
  const Report report = waiting("while", {}, "int wakes = 0;", "wakes++;");
  EXPECT_EQ(report.properties.at(Property::Assert), Verdict::VerifiedWithinBounds) << report.problem;
  ASSERT_EQ(report.bounds.size(), 1u);
  EXPECT_NE(report.bounds.front().text.find("ends without a signal at most 2 times in a row"),
            std::string::npos)
      << report.bounds.front().text;
}

/// Two threads take one place in turn and count who waits for it; who leaves wakes one if more than `least`
/// wait.
Report takingTurns(const std::string& least) {
  return explored(R"(
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    int idle = 1, waiters, used;
    void *f(void *p) {
      for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        while (!idle) { waiters++; pthread_cond_wait(&c, &m); waiters--; }
        idle--; used++;
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        idle++;
        if (waiters > )" +
                  least + R"() pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
      }
      return p; }
    int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
      pthread_join(a, 0); pthread_join(b, 0); assert(used == 4 && idle == 1); return 0; }
  )");
}

TEST(Spurious, WhoeverCountsWhoWaitsComesBackToTheSameStateAndNeedsNoBound) {
  const Report turns = takingTurns("0");
  EXPECT_EQ(turns.verdict, Verdict::Verified) << turns.problem;
  EXPECT_TRUE(turns.bounds.empty());
  EXPECT_EQ(takingTurns("1").properties.at(Property::Deadlock), Verdict::Violated);
}

TEST(Spurious, ALostSignalIsStillADeadlock) {
  const Report report = waiting(
      "while", {}, "pthread_mutex_unlock(&m); pthread_join(t, 0); pthread_mutex_lock(&m); ready = 0;");
  EXPECT_EQ(report.properties.at(Property::Deadlock), Verdict::Violated) << report.problem;
}

Report exchanging(const std::string& body, const Environment& environment = {}) {
  return explored(
      "#include <stdatomic.h>\n_Atomic int x; void *f(void *u) { int e = 0, n = 0; " + body + R"( return u; }
    int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); return 0; })",
      environment);
}

TEST(WeakExchange, MayFailWithoutReason) {
  const std::string once = "(void)n; assert(atomic_compare_exchange_weak(&x, &e, 1) || e != 0);";
  EXPECT_EQ(exchanging(once).properties.at(Property::Assert), Verdict::Violated);
  const Report strong = exchanging("(void)n; assert(atomic_compare_exchange_strong(&x, &e, 1) || e != 0);");
  EXPECT_EQ(strong.verdict, Verdict::Verified) << strong.problem;
  const Report without = exchanging(once, {.noWeakFailures = true});
  EXPECT_EQ(without.properties.at(Property::Assert), Verdict::VerifiedWithinBounds);
  ASSERT_EQ(without.assumptions.size(), 1u);
  EXPECT_EQ(without.assumptions.front().text, "no weak compare-exchange fails without reason");
}

TEST(WeakExchange, InALoopItAddsNothing) {
  const auto paths = [](const char* strength) {
    const Report report = exchanging("(void)n; while (!atomic_compare_exchange_" + std::string(strength) +
                                     "(&x, &e, e + 1)) {} assert(x > 0);");
    EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
    return report.stats.paths;
  };
  EXPECT_EQ(paths("weak"), paths("strong"));
}

TEST(WeakExchange, TriesThatAreCountedAreExplored) {
  const Report report = exchanging(
      "for (; n < 2 && !atomic_compare_exchange_weak(&x, &e, e + 1); n++) {} assert(n < 2 || e > 0);");
  EXPECT_EQ(report.properties.at(Property::Assert), Verdict::Violated) << report.problem;
}

TEST(Spurious, AWeakExchangeOfAThreadsOwnMemoryMayFailToo) {
  const auto swapped = [](const std::string& claim) {
    return explored(
        "#include <stdatomic.h>\natomic_int own;\n"
        "void *f(void *u) { int e = 0, first, second; first = atomic_compare_exchange_weak(&own, &e, 2);\n"
        "e = 0; second = atomic_compare_exchange_weak(&own, &e, 1); assert(" +
        claim +
        "); return u; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }\n");
  };
  const Report both = swapped("!(first && second) && own == (first ? 2 : second ? 1 : 0)");
  EXPECT_EQ(both.verdict, Verdict::Verified) << both.problem;
  EXPECT_EQ(swapped("first || second").properties.at(Property::Assert), Verdict::Violated);
  EXPECT_EQ(swapped("first").properties.at(Property::Assert), Verdict::Violated);
}

}  // namespace
}  // namespace heddle::test
