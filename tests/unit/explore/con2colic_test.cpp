// Con2colic testing: its running example, the known bugs of its benchmark set, and the exhaustive oracle.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/explore/random_program.h"

namespace heddle {
namespace {

using namespace heddle::test;

Options con2colic() {
  Options options;
  options.strategy = "con2colic";
  options.properties = {Property::Assert};
  return options;
}

std::string coverage(const Report& report) {
  for (const NamedBound& bound : report.bounds)
    if (bound.kind == BoundKind::BranchCoverage) return bound.text;
  return "";
}

// Figure 2: addAll reads the count before it locks. The error needs an input and one interference: the count
// that the assertion reads is what the other thread left.
const char* const kAddAll =
    "int count = 10, size = 20; pthread_mutex_t lk = PTHREAD_MUTEX_INITIALIZER; int more;\n"
    "void *addAll(void *p) {\n"
    "  int needed = count + more;\n"
    "  pthread_mutex_lock(&lk);\n"
    "  if (needed > size) size = needed * 2;\n"
    "  assert(size >= count + more);\n"
    "  count = count + more;\n"
    "  pthread_mutex_unlock(&lk); return p; }\n"
    "int main(void) { pthread_t a, b; more = heddle_input_int(); heddle_assume(0 <= more && more < 100);\n"
    "  pthread_create(&a, 0, addAll, 0); pthread_create(&b, 0, addAll, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";

TEST(Con2colic, TheRunningExampleFailsWithOneInterferenceAndNotWithNone) {
  Options options = con2colic();
  const Report report = check(kAddAll, options);
  EXPECT_EQ(Verdict::Violated, report.verdict) << report.problem;
  // Sequentially all but the failure is covered.
  ASSERT_TRUE(report.coverage);
  EXPECT_EQ(report.coverage->branches, 6u);
  EXPECT_EQ(report.coverage->byInterferences, (std::vector<uint64_t>{5, 1}));
  EXPECT_TRUE(coverage(report).starts_with("covered 6 of 6 branch sides, by interferences 5+1;"))
      << coverage(report);
}

TEST(Con2colic, EveryOptimizationCanBeSwitchedOff) {
  constexpr const char* kOptimizations[] = {"cores", "priority", "cache"};
  for (int off = 0; off < 8; ++off) {
    Options options = con2colic();
    std::string without;
    for (int i = 0; i < 3; ++i)
      if (off >> i & 1) without += (without.empty() ? " without=" : ",") + std::string(kOptimizations[i]);
    options.strategy += without;
    const Report report = check(kAddAll, options);
    EXPECT_EQ(Verdict::Violated, report.verdict) << off << ' ' << report.problem;
  }
}

TEST(Con2colic, ABoundOnInterferencesIsNamed) {
  Options options = con2colic();
  const std::string text =
      "int x, y;\n"
      "void *t1(void *p) { if (x == 1) y = 1; return p; }\n"
      "void *t2(void *p) { x = 1; if (y == 1) { if (x == 2) assert(!\"reached\"); } return p; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, t1, 0); pthread_create(&b, 0, t2, 0);\n"
      "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
  EXPECT_EQ(Verdict::Verified, check(text, options).verdict);
  options.strategy += " interferences=1";
  const Report report = check(text, options);
  EXPECT_EQ(Verdict::Incomplete, report.verdict) << "the bound may be why the assertion is not reached";
  EXPECT_EQ(ProblemKind::NotReached, report.problemKind);
  ASSERT_EQ(2u, report.bounds.size());
  EXPECT_EQ("at most 1 interferences", report.bounds.front().text);
  options.strategy = "con2colic interferences=few";
  EXPECT_EQ(Verdict::Unsupported, check(text, options).verdict);
}

TEST(Con2colic, AThreadThatGoesRoundBehindWhereItWasMeantToGetGotThere) {
  Options options = con2colic();
  options.everyAccessIsEvent = true;
  const Report report = check("_Atomic int ready; int main(void) { while (!ready) {} return 0; }\n", options);
  EXPECT_EQ("", report.problem);
}

TEST(Con2colic, WritesOfAnAtomicSectionAreReadBehindIt) {
  // T1 can only look once T2 has left its atomic section, whatever else happens in that.
  const std::string text =
      "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int x, y;\n"
      "void *t1(void *p) { if (y == 2 && x == 1) assert(!\"reached\"); return p; }\n"
      "void *t2(void *p) { __VERIFIER_atomic_begin(); int seen = x; y = 0; y = 2; x = seen + 1; "
      "__VERIFIER_atomic_end();\n"
      "  return p; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, t1, 0); pthread_create(&b, 0, t2, 0);\n"
      "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
  EXPECT_EQ(Verdict::Violated, check(text, con2colic()).properties.at(Property::Assert));
}

TEST(Con2colic, WritesUnderALockAreReadAfterTheRelease) {
  // T2 can only look once T1 has left its critical section.
  const std::string text =
      "int x; pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;\n"
      "void *t1(void *p) { pthread_mutex_lock(&l); x = 1; pthread_mutex_unlock(&l); return p; }\n"
      "void *t2(void *p) { pthread_mutex_lock(&l); assert(x == 0); pthread_mutex_unlock(&l); return p; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, t1, 0); pthread_create(&b, 0, t2, 0);\n"
      "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
  EXPECT_EQ(Verdict::Violated, check(text, con2colic()).verdict);
}

TEST(Con2colic, WaitsAreLeftByWhatTheyWaitFor) {
  for (const char* wait :
       {"while (!__atomic_load_n(&flag, __ATOMIC_SEQ_CST)) ;",
        "pthread_mutex_lock(&l); while (!flag) pthread_cond_wait(&c, &l); pthread_mutex_unlock(&l);"}) {
    const std::string text =
        std::string("int flag, x; pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;\n") +
        "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
        "void *t1(void *p) { x = 1; pthread_mutex_lock(&l); __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);\n"
        "  pthread_cond_signal(&c); pthread_mutex_unlock(&l); return p; }\n"
        "void *t2(void *p) { " +
        wait +
        " assert(x == 0); return p; }\n"
        "int main(void) { pthread_t a, b; pthread_create(&a, 0, t1, 0); pthread_create(&b, 0, t2, 0);\n"
        "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
    const Report report = check(text, con2colic());
    EXPECT_EQ(Verdict::Violated, report.verdict) << wait << report.problem;
  }
}

struct KnownBug {
  std::string name;
  uint64_t steps;  // the exploration goes on after the finding
};

void PrintTo(const KnownBug& bug, std::ostream* out) {
  *out << bug.name;
}

class KnownBugs : public testing::TestWithParam<KnownBug> {};

INSTANTIATE_TEST_SUITE_P(Set, KnownBugs,
                         testing::Values(KnownBug{"aget", 20'000}, KnownBug{"apache_a", 20'000},
                                         KnownBug{"apache_b", 20'000}, KnownBug{"bluetooth", 20'000},
                                         KnownBug{"ctrace1", 20'000}, KnownBug{"ctrace2", 200'000},
                                         KnownBug{"pfscan", 200'000}, KnownBug{"sor", 20'000},
                                         KnownBug{"art", 20'000}),
                         [](const auto& test) { return test.param.name; });

TEST_P(KnownBugs, AreFound) {
  const Report report = checkBenchProgram(GetParam().name + ".c", {}, con2colic(), GetParam().steps);
  EXPECT_EQ(Verdict::Violated, report.verdict) << report.problem;
}

// Each thread brings an assertion of its own, which needs one interference more than the one before.
TEST(Con2colic, ArtHasAnAssertionMoreForEachThread) {
  for (uint64_t n = 2; n <= 5; ++n) {
    const Report report = checkBenchProgram("art.c", {"-DN=" + std::to_string(n)}, con2colic());
    ASSERT_TRUE(report.coverage) << n;
    EXPECT_EQ(report.findings.size(), n - 1);
    EXPECT_EQ(report.coverage->branches, 6 * n);
    std::vector<uint64_t> sides(n, 5);
    sides[0] = 5 + n;
    EXPECT_EQ(report.coverage->byInterferences, sides) << n;
  }
}

TEST(Con2colic, PfscanNeedsFourInterferencesAndUnsatCores) {
  const Report report = checkBenchProgram("pfscan.c", {}, con2colic());
  EXPECT_EQ(Verdict::Violated, report.verdict) << report.problem;
  ASSERT_TRUE(report.coverage);
  EXPECT_EQ(report.coverage->byInterferences, (std::vector<uint64_t>{11, 6, 0, 0, 1}));
  Options three = con2colic();
  three.strategy += " interferences=3";
  EXPECT_TRUE(checkBenchProgram("pfscan.c", {}, three).findings.empty());
  // As many questions do not do without unsatisfiable cores; without priorities it takes more runs.
  Options without = con2colic();
  without.strategy += " without=cores";
  EXPECT_TRUE(checkBenchProgram("pfscan.c", {}, without, 3 * report.stats.queries).findings.empty());
  without.strategy = "con2colic without=priority";
  EXPECT_GT(checkBenchProgram("pfscan.c", {}, without).stats.executions, report.stats.executions);
}

class CoveredBranches : public testing::TestWithParam<int> {};

TEST_P(CoveredBranches, OfRandomProgramsEqualsTheOracles) {
  constexpr int kEach = 10;
  int compared = 0;
  for (int i = 0; i < kEach; ++i) {
    const uint64_t seed = 70'000 + static_cast<uint64_t>(GetParam()) * kEach + static_cast<uint64_t>(i);
    const RandomProgram program = randomProgram(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + program.text);
    const Reached oracle = reachedByOracle(program.text, program.inputs);
    ASSERT_TRUE(oracle.complete) << oracle.problem;
    const Reached reached = reachedBy("con2colic", program.text);
    EXPECT_FALSE(reached.problem.starts_with("internal")) << reached.problem;
    EXPECT_TRUE(std::includes(oracle.failures.begin(), oracle.failures.end(), reached.failures.begin(),
                              reached.failures.end()))
        << "invents failures";
    if (!reached.complete) continue;
    ++compared;
    EXPECT_EQ(oracle.failures, reached.failures);
    EXPECT_EQ(branchSides(oracle.localPaths), branchSides(reached.localPaths));
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GE(compared, kEach / 2);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CoveredBranches, testing::Range(0, 6));

}  // namespace
}  // namespace heddle
