// Proofs by invariants: programs whose loops have no bound, each with a twin that must not be proved.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "analysis/explore/invariants/invariant_proof.h"
#include "analysis/pipeline/prepare.h"
#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

const std::set<Property> kMost = {Property::Assert, Property::Memory, Property::Misuse, Property::Race};
const std::set<Property> kMostAndDeadlock = {Property::Assert, Property::Memory, Property::Misuse,
                                             Property::Race, Property::Deadlock};

InvariantProof proofOf(const std::string& text, const std::set<Property>& asked = kMost) {
  Snapshot snapshot;
  snapshot.path = "/nowhere/test.c";
  snapshot.text = withHeaders(text);
  snapshot.command = commandFromFlags(snapshot.path, {});
  const PreparedProgram prepared = prepare(snapshot, "main");
  EXPECT_TRUE(prepared.program) << prepared.problem;
  if (!prepared.program) return {};
  return proveByInvariants(*prepared.program, prepared.entry, asked, SolverKind::Sat,
                           Budget().withSteps(100'000));
}

bool isProved(const std::string& text, const std::set<Property>& asked = kMost) {
  return proofOf(text, asked).proven == asked;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

const std::string kInputN =
    "n = heddle_input_int(); heddle_assume(n >= 0 && n <= 1000);\n"
    "  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); pthread_join(b, 0);\n";

TEST(Invariants, CountsOfTwoThreadsAddUp) {
  const std::string text =
      "int n, c; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "void *f(void *p) { for (int i = 0; i < n; i++) { pthread_mutex_lock(&m); c++; "
      "pthread_mutex_unlock(&m); }"
      " return p; }\nvoid *g(void *p) { return f(p); }\n"
      "int main(void) { pthread_t a, b; " +
      kInputN + "  assert(c == 2 * n); return 0; }\n";
  EXPECT_TRUE(isProved(text, kMostAndDeadlock));
  EXPECT_FALSE(isProved(replaced(text, "c == 2 * n", "c == 2 * n - 1")));
  EXPECT_FALSE(isProved(replaced(text, "pthread_mutex_lock(&m); c++", "c++; pthread_mutex_lock(&m)")));
}

TEST(Invariants, SumsOfOneArrayAreTheSameInAnyOrder) {
  const std::string text =
      "int n, at[1000], s, t;\n"
      "void *f(void *p) { int sum = 0; for (int i = 0; i < n; i++) sum += at[i]; s = sum; return p; }\n"
      "void *g(void *p) { int sum = 0; for (int i = 0; i < n; i++) sum += at[i]; t = sum; return p; }\n"
      "int main(void) { pthread_t a, b; " +
      kInputN + "  assert(s == t); return 0; }\n";
  EXPECT_TRUE(isProved(text, kMostAndDeadlock));
  EXPECT_FALSE(isProved(replaced(text, "sum += at[i]; t", "sum += at[0]; t")));
  // The last element lies behind the array.
  EXPECT_FALSE(isProved(replaced(text, "at[1000]", "at[999]")));
}

TEST(Invariants, MaximaAreTheSameInAnyOrder) {
  const std::string text =
      "int n, at[1000], s, t;\n"
      "void *f(void *p) { int most = 0; for (int i = 0; i < n; i++) if (at[i] > most) most = at[i]; s = "
      "most; return "
      "p; }\n"
      "void *g(void *p) { int most = 0; for (int i = 0; i < n; i++) if (most < at[i]) most = at[i]; t = "
      "most; return "
      "p; }\n"
      "int main(void) { pthread_t a, b; " +
      kInputN + "  assert(s == t); return 0; }\n";
  EXPECT_TRUE(isProved(text, kMostAndDeadlock));
  EXPECT_FALSE(isProved(replaced(text, "if (most < at[i])", "if (most < at[i] - 1)")));
}

TEST(Invariants, AQueueOfAnyNumberOfOperationsStaysWithinItsRing) {
  const std::string text =
      "unsigned head, tail; int ring[16]; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "void *f(void *p) { while (heddle_input_int()) { pthread_mutex_lock(&m); if (tail - head < 16) { "
      "ring[tail % "
      "16] = 1; tail++; } pthread_mutex_unlock(&m); } return p; }\n"
      "void *g(void *p) { while (heddle_input_int()) { pthread_mutex_lock(&m); if (tail != head) { ring[head "
      "% 16] = "
      "0; head++; } pthread_mutex_unlock(&m); } return p; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);\n"
      "  pthread_join(a, 0); pthread_join(b, 0); assert(tail - head <= 16); return 0; }\n";
  EXPECT_TRUE(isProved(text, kMostAndDeadlock));
  EXPECT_FALSE(isProved(replaced(text, "tail - head < 16", "tail - head <= 16")));
  EXPECT_FALSE(isProved(replaced(text, "tail != head", "tail")));
}

TEST(Invariants, BlocksOfAnInputsSizeAreAccessedInside) {
  const std::string text =
      "#include <stdlib.h>\nint n, *at, s, t;\n"
      "void *f(void *p) { for (int i = 0; i < n; i++) if (at[i] == 7) s++; return p; }\n"
      "void *g(void *p) { for (int i = 0; i < n; i++) if (at[i] == 7) t++; return p; }\n"
      "int main(void) { pthread_t a, b; n = heddle_input_int(); heddle_assume(n >= 0 && n <= 1000);\n"
      "  at = malloc(sizeof(int) * (size_t)n); for (int i = 0; i < n; i++) at[i] = heddle_input_int();\n"
      "  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); pthread_join(b, 0);\n"
      "  assert(s == t); return 0; }\n";
  EXPECT_TRUE(isProved(text));
  EXPECT_FALSE(
      isProved(replaced(text, "i < n; i++) if (at[i] == 7) s++", "i <= n; i++) if (at[i] == 7) s++")));
}

TEST(Invariants, ALoopWaitsForEverIfNobodyCanChangeWhatItFinds) {
  const std::string text =
      "int done, c; void *f(void *p) { while (!__atomic_load_n(&done, 5)) c++; return p; }\n"
      "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); SET pthread_join(a, 0); return 0; }\n";
  EXPECT_TRUE(isProved("#define SET\n" + text, {Property::Assert}));
  EXPECT_FALSE(isProved("#define SET\n" + text, {Property::Deadlock}));
  EXPECT_TRUE(isProved("#define SET __atomic_store_n(&done, 1, 5);\n" + text, {Property::Deadlock}));
}

const std::string kInTwoThreads =
    "int main(void) { pthread_t a, b; START pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";

TEST(Invariants, PetersonsLockIsProvedForAnyNumberOfEntries) {
  const std::string text =
      "#define START\n#define load(x) __atomic_load_n(&x, 5)\n#define store(x, v) __atomic_store_n(&x, v, "
      "5)\n"
      "int f1, f2, turn, in;\n"
      "#define LOOP(mine, other, me, you) while (heddle_input_int()) { store(mine, 1); store(turn, you); \\\n"
      "  while (load(other) && load(turn) == you) ; in++; heddle_assert(in == 1); in--; store(mine, 0); }\n"
      "void *f(void *p) { LOOP(f1, f2, 1, 2) return p; }\nvoid *g(void *p) { LOOP(f2, f1, 2, 1) return p; "
      "}\n" +
      kInTwoThreads;
  EXPECT_TRUE(isProved(text, kMostAndDeadlock));
  EXPECT_FALSE(isProved(replaced(text, "store(turn, you)", "store(turn, me)"), kMostAndDeadlock));
  // Who leaves does not say so.
  EXPECT_FALSE(isProved(replaced(text, "in--; store(mine, 0)", "in--"), {Property::Deadlock}));
}

TEST(Invariants, ABarrierIsPassedByAllOrByNobody) {
  const std::string text =
      "#define START n = heddle_input_int(); pthread_barrier_init(&at, 0, 2);\n"
      "unsigned n; int x, y; pthread_barrier_t at;\n"
      "void *f(void *p) { for (unsigned i = 0; i < n; i++) { x = 1; pthread_barrier_wait(&at); "
      "y = 0; pthread_barrier_wait(&at); } return p; }\n"
      "void *g(void *p) { for (unsigned i = 0; i < n; i++) { y = 1; pthread_barrier_wait(&at); "
      "x = 0; pthread_barrier_wait(&at); } return p; }\n" +
      kInTwoThreads;
  EXPECT_TRUE(isProved(text, kMostAndDeadlock));
  EXPECT_FALSE(isProved(replaced(text, "y = 0; pthread_barrier_wait(&at);", "y = 0;"), {Property::Race}));
  EXPECT_FALSE(isProved(replaced(text, "y = 0; pthread_barrier_wait(&at);", "y = 0;"), {Property::Deadlock}));
  EXPECT_FALSE(isProved(replaced(text, "&at, 0, 2", "&at, 0, 3"), {Property::Deadlock}));
}

TEST(Invariants, AWaitEndsByASignalOrByItself) {
  const std::string text =
      "#define START\nint full; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "pthread_cond_t changed = PTHREAD_COND_INITIALIZER;\n"
      "#define TURN(while_, is, next) pthread_mutex_lock(&m); while_ (full != is) "
      "pthread_cond_wait(&changed, &m); \\\n"
      "  heddle_assert(full == is); full = next; pthread_cond_signal(&changed); pthread_mutex_unlock(&m);\n"
      "void *f(void *p) { for (;;) { TURN(while, 0, 1) } return p; }\n"
      "void *g(void *p) { for (;;) { TURN(while, 1, 0) } return p; }\n" +
      kInTwoThreads;
  EXPECT_TRUE(isProved(text, kMostAndDeadlock));
  EXPECT_FALSE(isProved(replaced(text, "TURN(while, 1", "TURN(if, 1"), {Property::Assert}));
  EXPECT_FALSE(isProved(replaced(text, "TURN(while, 1, 0", "TURN(while, 1, 1"), {Property::Deadlock}));
  EXPECT_FALSE(isProved(replaced(text, "pthread_cond_signal(&changed);", ";"), {Property::Deadlock}));
}

TEST(Invariants, CountersThatMayPassTheirLimitAreNotSaidToEnd) {
  const auto text = [](const std::string& loop) {
    return "int n, done; void *f(void *p) { " + loop +
           " return p; }\n"
           "int main(void) { pthread_t a; n = heddle_input_int(); pthread_create(&a, 0, f, 0); "
           "pthread_join(a, 0); return 0; }\n";
  };
  EXPECT_TRUE(isProved(text("for (int i = 0; i < n; i++) ;"), {Property::Deadlock}));
  EXPECT_FALSE(isProved(text("for (int i = 0; i != n; i += 2) ;"), {Property::Deadlock}));
  EXPECT_FALSE(isProved(text("for (int i = 0; i <= n; i++) ;"), {Property::Deadlock}));
  // The round that goes on early never asks.
  EXPECT_FALSE(
      isProved(text("while (1) { if (!__atomic_load_n(&done, 5)) continue; if (heddle_input_int()) break; }"),
               {Property::Deadlock}));
}

TEST(Invariants, TheFirstInstructionOfAThreadIsInterleaved) {
  const std::string text =
      "int x, y; void *f(void *p) { while (heddle_input_int()) y = READ; return p; }\n"
      "void *g(void *p) { x = 1; return p; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);\n"
      "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
  EXPECT_TRUE(isProved("#define READ 1\n" + text));
  EXPECT_FALSE(isProved("#define READ x\n" + text));
}

TEST(Invariants, LocksInOppositeOrderAreALocationThatNobodyLeaves) {
  const std::string text =
      "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, l = PTHREAD_MUTEX_INITIALIZER;\n"
      "#define BOTH(x, y) while (heddle_input_int()) { pthread_mutex_lock(&x); pthread_mutex_lock(&y); "
      "pthread_mutex_unlock(&y); pthread_mutex_unlock(&x); }\n"
      "void *f(void *p) { BOTH(m, l) return p; }\nvoid *g(void *p) { SECOND return p; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);\n"
      "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
  EXPECT_TRUE(isProved("#define SECOND BOTH(m, l)\n" + text, {Property::Deadlock}));
  EXPECT_FALSE(isProved("#define SECOND BOTH(l, m)\n" + text, {Property::Deadlock}));
}

TEST(Invariants, WhatIsNotKnownIsRefusedWithItsReason) {
  EXPECT_NE(proofOf("int main(void) { double d = heddle_input_int(); return d > 1.5; }\n").problem, "");
  EXPECT_EQ(proofOf("int main(void) { return 0; }\n").problem, "no loop without a bound");
}

TEST(Invariants, ASimpleProofComesBeforeAllJointStatesOfALargeForest) {
  Options options;
  options.properties = {Property::Assert, Property::Race};
  const Report simple = checkBenchProgram("any_array.c", {"-DT=3"}, options);
  EXPECT_EQ(simple.verdict, Verdict::Verified) << simple.problem;
  EXPECT_GT(simple.provedLocations, 0u);
  EXPECT_EQ(simple.stats.states, 0u);
  const Report buggy = checkBenchProgram("any_array.c", {"-DT=3", "-DBUGGY"}, options, 100'000);
  EXPECT_NE(buggy.verdict, Verdict::Verified);
  // Its proof needs more, and it has few states.
  const Report few = checkBenchProgram("stack_inputs.c", {"-DN=12"}, options);
  EXPECT_EQ(few.verdict, Verdict::Verified) << few.problem;
  EXPECT_EQ(few.provedLocations, 0u);
  EXPECT_GT(few.stats.states, 0u);
}

TEST(Invariants, AReportNamesTheProofAndNoBound) {
  const std::string text =
      "int n, at[1000], s, t;\n"
      "void *f(void *p) { int most = 0; for (int i = 0; i < n; i++) if (at[i] > most) most = at[i]; s = "
      "most; return "
      "p; }\n"
      "void *g(void *p) { return f(p); }\n"
      "int main(void) { pthread_t a, b; n = heddle_input_int(); heddle_assume(n >= 0 && n <= 1000);\n"
      "  for (int i = 0; i < n; i++) at[i] = heddle_input_int();\n"
      "  pthread_create(&a, 0, f, 0); pthread_join(a, 0); pthread_create(&b, 0, g, 0); pthread_join(b, 0);\n"
      "  assert(s >= 0); return 0; }\n";
  const Report report = check(text);
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
  EXPECT_TRUE(report.bounds.empty());
  EXPECT_GT(report.provedLocations, 0u);
  EXPECT_FALSE(isExhaustive(report));
}

}  // namespace
}  // namespace heddle::test
