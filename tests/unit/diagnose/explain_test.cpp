// Explanations say what is true in the program's terms, and no more than matters.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "tests/paths/paths.h"
#include "tests/unit/diagnose/diagnosed.h"

namespace heddle::test {
namespace {

std::string two(const std::string& globals, const std::string& one, const std::string& other,
                const std::string& setUp = "", const std::string& atEnd = "") {
  return "#include <semaphore.h>\n" + globals + "void *one(void *arg) {\n" + one + "  return arg;\n}\n" +
         "void *two(void *arg) {\n" + other + "  return arg;\n}\nint main(void) {\n  pthread_t a, b;\n" +
         setUp +
         "  pthread_create(&a, 0, one, 0);\n  pthread_create(&b, 0, two, 0);\n  pthread_join(a, 0);\n"
         "  pthread_join(b, 0);\n" +
         atEnd + "  return 0;\n}\n";
}

Finding explainedFindingOf(const std::string& text, Property kind) {
  const Report report = explained(text);
  for (const Finding& finding : report.findings)
    if (finding.kind == kind && finding.explanation) return finding;
  ADD_FAILURE() << "no explained finding of this kind: " << report.problem;
  Finding none;
  none.explanation.emplace();
  return none;
}

bool hasFact(const Finding& finding, const std::string& text) {
  return std::any_of(finding.explanation->facts.begin(), finding.explanation->facts.end(),
                     [&](const RelatedPlace& fact) { return fact.message.find(text) != std::string::npos; });
}

std::string moduleText(const std::string& name) {
  std::ifstream file(sourceDirectory() + "/tests/modules/" + name + ".c");
  return {std::istreambuf_iterator<char>(file), {}};
}

// Two threads update `n` ten times, by different values on different paths: too many paths to look at all.
std::string manyPaths(const std::string& last) {
  const std::string update = "  for (int i = 0; i < 10; i++) if (n & 1) n += 3; else n = n * 2 + 1;\n";
  return two("int n, done;\n", update + "  done = 1;\n", update + last);
}

TEST(Explain, AProgramOfTooManyPathsByAFewOfThem) {
  const std::string text = manyPaths("  assert(!done);\n");
  const Report report = explained(text, "sat", 60'000);
  EXPECT_EQ(report.properties.at(Property::Race), Verdict::Violated);
  const auto failure = std::find_if(report.findings.begin(), report.findings.end(),
                                    [](const Finding& finding) { return finding.kind == Property::Assert; });
  ASSERT_NE(failure, report.findings.end()) << report.problem;
  ASSERT_TRUE(failure->explanation);
  const Explanation& explanation = *failure->explanation;
  EXPECT_NE(explanation.claim, "");
  EXPECT_FALSE(failure->core.empty());
  EXPECT_GT(explanation.amongExecutions, 0u) << explanation.problem;
  EXPECT_TRUE(explanation.minimal);
  EXPECT_FALSE(explanation.allFailures);
  EXPECT_FALSE(explanation.failsAlways);
}

TEST(Explain, WithTooManyPathsNothingIsSaidOfEverySchedule) {
  const std::string text = manyPaths("  assert(done == 2);\n");
  const Report report = explained(text, "sat", 60'000);
  for (const Finding& finding : report.findings) {
    if (finding.kind != Property::Assert) continue;
    ASSERT_TRUE(finding.explanation);
    EXPECT_FALSE(finding.explanation->failsAlways);
    EXPECT_EQ(finding.explanation->claim.find("every schedule"), std::string::npos)
        << finding.explanation->claim;
    EXPECT_GT(finding.explanation->amongExecutions, 0u);
  }
}

// Few of its executions are looked at, and the failing one shares what those do not.
TEST(Explain, AFailureThatSharesWhatAFewExecutionsDoNot) {
  for (const char* name : {"resized_map", "ring_stages", "idle_pool"}) {
    const Report report = explained(moduleText(name), "sat", 1'000'000);
    EXPECT_FALSE(report.findings.empty()) << report.problem;
    for (const Finding& finding : report.findings) {
      ASSERT_TRUE(finding.explanation);
      EXPECT_NE(finding.explanation->claim, "") << name << ": " << finding.explanation->problem;
    }
  }
}

TEST(Explain, WhoKeptTheLock) {
  const Finding finding = explainedFindingOf(
      two("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint n;\n", "  pthread_mutex_lock(&m);\n  n++;\n",
          "  pthread_mutex_lock(&m);\n  n++;\n  pthread_mutex_unlock(&m);\n"),
      Property::Deadlock);
  EXPECT_EQ(finding.explanation->claim,
            "T1 ends without releasing `m`, taken at line 9, and T2 waits for it (line 14)");
}

TEST(Explain, SemaphoresByTheirNames) {
  const Finding finding = explainedFindingOf(
      two("sem_t s, t;\n", "  sem_wait(&s);\n  sem_wait(&t);\n  sem_post(&t);\n  sem_post(&s);\n",
          "  sem_wait(&t);\n  sem_wait(&s);\n  sem_post(&s);\n  sem_post(&t);\n",
          "  sem_init(&s, 0, 1);\n  sem_init(&t, 0, 1);\n"),
      Property::Deadlock);
  EXPECT_NE(finding.explanation->claim.find("waits for semaphore `t`"), std::string::npos)
      << finding.explanation->claim;
  ASSERT_EQ(finding.core.size(), 2u);
  EXPECT_EQ(finding.core[0].text, "T1 takes `s` before T2 takes `s`");
}

TEST(Explain, APassingExecutionIsNoOtherDeadlock) {
  // Whichever thread comes second waits for ever.
  const Finding finding =
      explainedFindingOf(two("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n",
                             "  pthread_mutex_lock(&m);\n", "  pthread_mutex_lock(&m);\n"),
                         Property::Deadlock);
  EXPECT_FALSE(finding.explanation->passing);
}

TEST(Explain, ACheckThatIsOldWhenItIsUsed) {
  const std::string use =
      "  pthread_mutex_lock(&m);\n  int seen = n;\n  pthread_mutex_unlock(&m);\n  if (seen == 0) {\n"
      "    pthread_mutex_lock(&m);\n    n = n + 1;\n    pthread_mutex_unlock(&m);\n  }\n";
  const Finding finding = explainedFindingOf(
      two("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint n;\n", use, use, "", "  assert(n == 1);\n"),
      Property::Assert);
  EXPECT_NE(finding.explanation->claim.find(" writes `n` (line "), std::string::npos);
  EXPECT_NE(finding.explanation->claim.find(" between T"), std::string::npos) << finding.explanation->claim;
  EXPECT_TRUE(finding.explanation->pattern.starts_with("atomicity violation (read-write-"))
      << finding.explanation->pattern;
  EXPECT_TRUE(hasFact(finding, "gave up the lock between the two accesses"));
}

TEST(Explain, ARaceIsItsTwoAccesses) {
  const Finding finding =
      explainedFindingOf(two("int n;\n", "  n++;\n  n++;\n", "  n++;\n", "", "  n++;\n"), Property::Race);
  EXPECT_EQ(finding.explanation->steps.size(), 2u);
  EXPECT_TRUE(hasFact(finding, "neither holds a lock"));
}

TEST(Explain, AReadLockIsALockToo) {
  const std::string add = "  pthread_rwlock_rdlock(&l);\n  n = n + 1;\n  pthread_rwlock_unlock(&l);\n";
  const Finding finding = explainedFindingOf(
      two("pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\nint n;\n", add, add), Property::Race);
  EXPECT_TRUE(hasFact(finding, "holding `l` for reading"));
  EXPECT_FALSE(hasFact(finding, "neither holds a lock"));
  EXPECT_TRUE(hasFact(finding, "held like this they do not exclude each other"));
}

TEST(Explain, WhichTimeAPlaceIsPassed) {
  const Finding finding =
      explainedFindingOf(two("int i = 1, j = 1;\n", "  for (int k = 0; k < 2; k++) i = i + j;\n",
                             "  for (int k = 0; k < 2; k++) j = j + i;\n", "", "  assert(i < 8 && j < 8);\n"),
                         Property::Assert);
  EXPECT_TRUE(std::any_of(finding.core.begin(), finding.core.end(), [](const OrderingFact& fact) {
    return fact.text.find(" for the 2nd time") != std::string::npos;
  }));
}

}  // namespace
}  // namespace heddle::test
