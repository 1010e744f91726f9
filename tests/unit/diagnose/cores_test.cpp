// Cores: what they say of known programs, and that each of them, found by either solver, is proved by the
// other.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <tuple>

#include "tests/paths/paths.h"
#include "tests/unit/diagnose/diagnosed.h"
#include "tests/unit/diagnose/figures.h"

namespace heddle::test {
namespace {

const Finding* findingOf(const Report& report, Property kind) {
  const auto it = std::find_if(report.findings.begin(), report.findings.end(),
                               [&](const Finding& f) { return f.kind == kind; });
  return it == report.findings.end() ? nullptr : &*it;
}

using Lines = std::pair<uint32_t, uint32_t>;

Lines lines(const OrderingFact& fact) {
  return {fact.before.line - kHeaderLines, fact.after.line - kHeaderLines};
}

TEST(Cores, Figure2IsTheWriteBetweenCheckAndUse) {
  for (const char* solver : {"sat", "z3"}) {
    const Report report = explained(kFigure2, solver);
    const Finding* finding = findingOf(report, Property::Assert);
    ASSERT_NE(finding, nullptr) << report.problem;
    ASSERT_TRUE(finding->explanation);
    const Explanation& explanation = *finding->explanation;
    EXPECT_EQ(explanation.problem, "");
    ASSERT_EQ(finding->core.size(), 2u);
    EXPECT_EQ(lines(finding->core[0]), Lines(9, 3));
    EXPECT_EQ(lines(finding->core[1]), Lines(3, 10));
    EXPECT_TRUE(explanation.minimal);
    EXPECT_TRUE(explanation.allFailures);
    EXPECT_EQ(explanation.cores.size(), 1u);
  }
}

TEST(Cores, Figure3HasOneForEachDirection) {
  const Report report = explained(kFigure3);
  const Finding* finding = findingOf(report, Property::Assert);
  ASSERT_NE(finding, nullptr) << report.problem;
  ASSERT_TRUE(finding->explanation);
  EXPECT_EQ(finding->explanation->cores.size(), 2u);
  EXPECT_TRUE(finding->explanation->allFailures);
  for (const auto& core : finding->explanation->cores) EXPECT_EQ(core.size(), 2u);
}

TEST(Cores, AFailureThatNoScheduleAvoidsHasNone) {
  const Report report = explained(kFailsAlways);
  const Finding* finding = findingOf(report, Property::Assert);
  ASSERT_NE(finding, nullptr) << report.problem;
  ASSERT_TRUE(finding->explanation);
  EXPECT_TRUE(finding->explanation->failsAlways);
  EXPECT_TRUE(finding->core.empty());
  EXPECT_TRUE(finding->plans.empty());
  EXPECT_FALSE(finding->explanation->passing);
  EXPECT_NE(finding->explanation->claim.find("on every schedule"), std::string::npos);
}

TEST(Cores, WhoGivesUpAMutexInEachRoundKeepsNobodyFromFailing) {
  const Report report = explained(R"(
    static int answered, input;
    static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    static void *asks(void *p) {
      pthread_mutex_lock(&m);
      assert(input != 0);
      answered = 1;
      pthread_mutex_unlock(&m);
      return p;
    }
    static void *waits(void *p) {
      pthread_mutex_lock(&m);
      while (!answered) {
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
      }
      pthread_mutex_unlock(&m);
      return p;
    }
    int main(void) {
      pthread_t a, b;
      input = heddle_input_int() & 1;
      pthread_create(&a, 0, asks, 0);
      pthread_create(&b, 0, waits, 0);
      pthread_join(a, 0);
      pthread_join(b, 0);
      return 0;
    }
  )");
  const Finding* finding = findingOf(report, Property::Assert);
  ASSERT_NE(finding, nullptr) << report.problem;
  ASSERT_TRUE(finding->explanation);
  EXPECT_TRUE(finding->explanation->failsAlways);
  EXPECT_TRUE(finding->core.empty());
}

TEST(Cores, OfADeadlockAreBothFirstAcquisitions) {
  const Report report = explained(kLockOrder);
  const Finding* finding = findingOf(report, Property::Deadlock);
  ASSERT_NE(finding, nullptr) << report.problem;
  ASSERT_TRUE(finding->explanation);
  EXPECT_EQ(finding->explanation->problem, "");
  EXPECT_EQ(finding->core.size(), 2u);
  EXPECT_EQ(finding->explanation->pattern, "lock-order cycle");
}

TEST(Cores, TheBudgetEndsADiagnosisWithAReason) {
  bool cut = false;
  for (uint64_t steps = 100; steps < 4000; steps += 60) {
    for (const Finding& finding : explained(kFigure9, "sat", steps).findings) {
      if (!finding.explanation || !finding.core.empty() || finding.kind == Property::Race) continue;
      cut = true;
      EXPECT_NE(finding.explanation->problem, "") << steps;
    }
  }
  EXPECT_TRUE(cut) << "no budget fell into the diagnosis";
}

/// Found by one solver, proved by the other.
void expectProved(const std::string& name, const std::string& text, bool withHeaders) {
  for (const auto& [finder, prover] :
       {std::pair(SolverKind::Sat, SolverKind::Z3), std::pair(SolverKind::Z3, SolverKind::Sat)}) {
    const ProvedCores result = proveCores(text, finder, prover, withHeaders);
    EXPECT_EQ(result.problem, "") << name;
    EXPECT_GT(result.cores, 0u) << name;
    EXPECT_EQ(result.proved, result.cores)
        << name << ", proved by " << (prover == SolverKind::Z3 ? "z3" : "sat");
  }
}

TEST(Cores, AreProvedByTheOtherSolver) {
  for (const char* text : {kFigure2, kFigure3, kFigure9, kFigure10, kInitializedTooLate, kLockOrder, kCounter,
                           kForgottenLock, kWithInput})
    expectProved(text, text, true);
}

TEST(Cores, OfEachKindOfFindingAreProvedByTheOtherSolver) {
  for (const auto& [text, kind, size] :
       {std::tuple(kMissedSignal, Property::Deadlock, 1u), std::tuple(kUseAfterFree, Property::Memory, 1u),
        std::tuple(kLockOrder, Property::Deadlock, 2u), std::tuple(kForgottenLock, Property::Race, 0u),
        std::tuple(kJoinedTooLate, Property::Assert, 1u)}) {
    const Report report = explained(text);
    const Finding* finding = findingOf(report, kind);
    ASSERT_NE(finding, nullptr) << text << report.problem;
    ASSERT_TRUE(finding->explanation) << text;
    EXPECT_EQ(finding->explanation->problem, "") << text;
    // That both accesses of a race happen may need no order at all.
    if (size != 0) {
      EXPECT_EQ(finding->core.size(), size) << text;
    }
    expectProved(text, text, true);
  }
}

TEST(Cores, ALostWakeUpHasItsName) {
  const Report report = explained(kMissedSignal);
  const Finding* finding = findingOf(report, Property::Deadlock);
  ASSERT_NE(finding, nullptr) << report.problem;
  EXPECT_EQ(finding->explanation->pattern, "missed signal");
}

class Table1 : public testing::TestWithParam<std::string> {};

TEST_P(Table1, CoresAreProvedByTheOtherSolver) {
  std::ifstream stream(GetParam());
  const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  expectProved(GetParam(), text, false);
}

/// The programs of a folder whose first line expects a bug.
std::vector<std::string> buggyIn(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(sourceDirectory() + "/" + folder)) {
    if (entry.path().extension() != ".c") continue;
    std::ifstream stream(entry.path());
    std::string firstLine;
    std::getline(stream, firstLine);
    if (firstLine.find("=violated") != std::string::npos) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string nameOf(const testing::TestParamInfo<std::string>& instance) {
  const std::filesystem::path path = instance.param;
  return path.parent_path().filename().string() + "_" + path.stem().string();
}

INSTANTIATE_TEST_SUITE_P(All, Table1, testing::ValuesIn(buggyIn("tests/programs/concbugassist")), nameOf);

/// Every core of every finding, where a diagnosis finds any.
class Programs : public testing::TestWithParam<std::string> {};

TEST_P(Programs, CoresAreProvedByTheOtherSolver) {
  std::ifstream stream(GetParam());
  const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  for (const auto& [finder, prover] :
       {std::pair(SolverKind::Sat, SolverKind::Z3), std::pair(SolverKind::Z3, SolverKind::Sat)}) {
    const ProvedCores result = proveCores(text, finder, prover, false, GetParam());
    EXPECT_EQ(result.proved, result.cores) << result.problem;
  }
}

INSTANTIATE_TEST_SUITE_P(Sync, Programs, testing::ValuesIn(buggyIn("tests/programs/sync")), nameOf);

std::vector<std::string> everyOther() {
  std::vector<std::string> all;
  for (const char* folder : {"tests/programs/assert", "tests/programs/language", "tests/programs/suite",
                             "tests/programs/repair", "docs/examples"})
    for (std::string& path : buggyIn(folder)) all.push_back(std::move(path));
  return all;
}

// Takes minutes: --gtest_also_run_disabled_tests --gtest_filter='DISABLED_Rest*'
INSTANTIATE_TEST_SUITE_P(DISABLED_Rest, Programs, testing::ValuesIn(everyOther()), nameOf);

}  // namespace
}  // namespace heddle::test
