// Explanations and plans: claims, pattern names, the nearest passing execution, and what comes first.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/diagnose/diagnosed.h"
#include "tests/unit/diagnose/figures.h"

namespace heddle::test {
namespace {

using Kind = RepairPlan::Kind;

Finding findingOf(const std::string& text, Property kind) {
  const Report report = explained(text);
  for (const Finding& finding : report.findings)
    if (finding.kind == kind) return finding;
  ADD_FAILURE() << "no " << kind << ": " << report.problem;
  Finding none;
  none.explanation.emplace();
  return none;
}

bool has(const Finding& finding, Kind kind) {
  return std::any_of(finding.plans.begin(), finding.plans.end(),
                     [&](const RepairPlan& plan) { return plan.kind == kind; });
}

std::vector<uint32_t> linesOf(const std::vector<SourceAccess>& region) {
  std::vector<uint32_t> lines;
  for (const SourceAccess& access : region) lines.push_back(access.place.line - kHeaderLines);
  return lines;
}

TEST(Plans, Figure3IsOneMutexFirst) {
  const Finding finding = findingOf(kFigure3, Property::Assert);
  ASSERT_FALSE(finding.plans.empty());
  const RepairPlan& plan = finding.plans.front();
  EXPECT_EQ(plan.kind, Kind::CriticalSections);
  EXPECT_TRUE(plan.permissive);
  EXPECT_EQ(plan.existingLock, "");
  EXPECT_EQ(plan.coversCores, 2u);
  ASSERT_EQ(plan.regions.size(), 2u);
  EXPECT_EQ(linesOf(plan.regions[0]), (std::vector<uint32_t>{3, 4}));
  EXPECT_EQ(linesOf(plan.regions[1]), (std::vector<uint32_t>{8, 9}));
  // Forcing one order is possible as well, and comes later.
  EXPECT_TRUE(has(finding, Kind::SignalWait));
}

TEST(Plans, Figure9IsOneMutexAroundTheAddition) {
  const Finding finding = findingOf(kFigure9, Property::Assert);
  ASSERT_FALSE(finding.plans.empty());
  const RepairPlan& plan = finding.plans.front();
  EXPECT_EQ(plan.kind, Kind::CriticalSections);
  ASSERT_EQ(plan.regions.size(), 1u);  // both threads run the same text
  for (const auto& region : plan.regions) {
    EXPECT_EQ(linesOf(region).front(), 3u);
    EXPECT_EQ(linesOf(region).back(), 4u);
    EXPECT_EQ(region.front().place.function, "list_add");
  }
}

TEST(Plans, Figure10IsSignalAndWait) {
  const Finding finding = findingOf(kFigure10, Property::Assert);
  EXPECT_EQ(finding.explanation->pattern, "order violation");
  ASSERT_FALSE(finding.plans.empty());
  const RepairPlan& plan = finding.plans.front();
  EXPECT_EQ(plan.kind, Kind::SignalWait);
  EXPECT_FALSE(plan.permissive);
  ASSERT_EQ(plan.orders.size(), 1u);
  EXPECT_EQ(plan.orders[0].before.place.line - kHeaderLines, 4u);
  EXPECT_EQ(plan.orders[0].after.place.line - kHeaderLines, 8u);
  EXPECT_EQ(plan.orders[0].signals, 1u);
  EXPECT_FALSE(has(finding, Kind::CriticalSections));
}

TEST(Plans, AnInitializationThatComesTooLateMovesBeforeTheCreate) {
  const Finding finding = findingOf(kInitializedTooLate, Property::Assert);
  EXPECT_EQ(finding.explanation->pattern, "order violation");
  ASSERT_FALSE(finding.plans.empty());
  const RepairPlan& plan = finding.plans.front();
  EXPECT_EQ(plan.kind, Kind::MoveBeforeCreate);
  ASSERT_TRUE(plan.create);
  EXPECT_EQ(plan.create->place.line - kHeaderLines, 8u);
  EXPECT_EQ(plan.orders[0].before.place.line - kHeaderLines, 9u);
}

TEST(Plans, ALockOrderCycleGetsOneOrder) {
  const Finding finding = findingOf(kLockOrder, Property::Deadlock);
  ASSERT_FALSE(finding.plans.empty());
  const RepairPlan& plan = finding.plans.front();
  EXPECT_EQ(plan.kind, Kind::LockOrder);
  EXPECT_EQ(plan.lockOrder, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(plan.regions.size(), 2u);
  EXPECT_EQ(linesOf(plan.regions[0]), (std::vector<uint32_t>{4, 5}));
  EXPECT_EQ(linesOf(plan.regions[1]), (std::vector<uint32_t>{11, 12}));
}

TEST(Plans, ACounterBecomesAtomic) {
  const Finding lost = findingOf(kCounter, Property::Assert);
  ASSERT_FALSE(lost.plans.empty());
  EXPECT_EQ(lost.plans.front().kind, Kind::AtomicAccess);
  EXPECT_TRUE(has(lost, Kind::CriticalSections));
  const Finding race = findingOf(kCounter, Property::Race);
  ASSERT_FALSE(race.plans.empty());
  EXPECT_EQ(race.plans.front().kind, Kind::AtomicAccess);
  EXPECT_EQ(race.plans.front().objects, (std::vector<std::string>{"counter"}));
  // What main reads after the joins meets nobody.
  ASSERT_EQ(race.plans.front().regions.size(), 1u);
  EXPECT_EQ(race.plans.front().regions[0].front().place.function, "add");
  EXPECT_NE(race.explanation->claim.find("write"), std::string::npos) << race.explanation->claim;
}

TEST(Plans, TheLockThatGuardsTheDataElsewhereIsUsed) {
  for (const Property kind : {Property::Assert, Property::Race}) {
    const Finding finding = findingOf(kForgottenLock, kind);
    ASSERT_FALSE(finding.plans.empty());
    const RepairPlan& plan = finding.plans.front();
    EXPECT_EQ(plan.kind, Kind::CriticalSections);
    EXPECT_EQ(plan.existingLock, "m");
    ASSERT_TRUE(plan.existingLockAt);
    ASSERT_EQ(plan.regions.size(), 1u) << kind;
    EXPECT_EQ(linesOf(plan.regions[0]).front(), 10u);
    EXPECT_EQ(linesOf(plan.regions[0]).back(), 12u);
  }
}

TEST(Explanation, ClaimsAreInTheProgramsTerms) {
  const Finding figure2 = findingOf(kFigure2, Property::Assert);
  EXPECT_EQ(figure2.explanation->claim,
            "T1 writes `x` (line 7) between T0's read (line 13) and read (line 14) of `x`");
  EXPECT_EQ(figure2.explanation->pattern, "atomicity violation (read-write-read)");
  const Finding race = findingOf(kForgottenLock, Property::Race);
  EXPECT_NE(race.explanation->claim.find(" without `m`, under which "), std::string::npos)
      << race.explanation->claim;
  const auto& facts = race.explanation->facts;
  EXPECT_TRUE(std::any_of(facts.begin(), facts.end(), [](const RelatedPlace& fact) {
    return fact.message.find("would have to hold `m`") != std::string::npos;
  }));
}

TEST(Explanation, TheNearestPassingExecutionPasses) {
  for (const char* text : {kFigure2, kFigure3, kFigure9, kFigure10, kCounter, kForgottenLock, kWithInput}) {
    const Finding finding = findingOf(text, Property::Assert);
    ASSERT_TRUE(finding.explanation->passing) << text;
    const PassingExecution& passing = *finding.explanation->passing;
    EXPECT_FALSE(passing.changed.empty()) << text;
    EXPECT_TRUE(passing.fewest) << text;
    const ReplayResult run = replayed(text, passing.schedule);
    EXPECT_TRUE(run.ok) << run.error;
    EXPECT_TRUE(std::none_of(run.failures.begin(), run.failures.end(),
                             [](const Finding& f) { return f.kind == Property::Assert; }))
        << text << passing.schedule;
  }
}

TEST(Explanation, TheStepsThatMatterEndWithTheFailure) {
  const Finding finding = findingOf(kFigure9, Property::Assert);
  const std::vector<Step>& steps = finding.explanation->steps;
  ASSERT_GE(steps.size(), 4u);
  EXPECT_LE(steps.size(), finding.steps.size() + 1);
  EXPECT_EQ(steps.back().event, finding.message);
}

TEST(Explanation, NoVerdictDependsOnIt) {
  for (const char* text : {kFigure3, kLockOrder, kForgottenLock}) {
    const Report report = explained(text);
    EXPECT_EQ(report.verdict, Verdict::Violated);
    EXPECT_EQ(report.properties.at(Property::Memory), Verdict::Verified);
  }
}

}  // namespace
}  // namespace heddle::test
