// The figures of the MPC paper, and what must hold of every exploration.
#include <gtest/gtest.h>

#include <algorithm>
#include <stop_token>

#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

std::string figure1(const std::string& bound) {
  return "int x, y;\n"
         "void *t1(void *p) { int i = heddle_input_int(); x = i; x = 2; return p; }\n"
         "void *t2(void *p) { int j = heddle_input_int(); x = j; x = 4; return p; }\n"
         "void *t3(void *p) { if (x >= " +
         bound +
         ") assert(!\"error\"); else y = 2; return p; }\n"
         "int main(void) { pthread_t t[3]; pthread_create(t, 0, t1, 0); pthread_create(t + 1, 0, t2, 0);\n"
         "  pthread_create(t + 2, 0, t3, 0); for (int k = 0; k < 3; k++) pthread_join(t[k], 0); return 0; "
         "}\n";
}

std::string figure2(int most) {
  return "int x, y; pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;\n"
         "void *t1(void *p) { int i = heddle_input_int(); x = 2; y = 5; if (i == 3) { x++; "
         "pthread_mutex_lock(&l);\n"
         "  y--; pthread_mutex_unlock(&l); } return p; }\n"
         "void *t2(void *p) { x = 5; y = 0; if (x == 101) { if (y == 2) assert(!\"crash\"); } return p; }\n"
         "void *t3(void *p) { x = 100; int j = heddle_input_int(); heddle_assume(j <= " +
         std::to_string(most) +
         "); while (j-- > 0) {\n"
         "  pthread_mutex_lock(&l); y++; pthread_mutex_unlock(&l); } return p; }\n"
         "int main(void) { pthread_t t[3]; pthread_create(t, 0, t1, 0); pthread_create(t + 1, 0, t2, 0);\n"
         "  pthread_create(t + 2, 0, t3, 0); for (int k = 0; k < 3; k++) pthread_join(t[k], 0); return 0; "
         "}\n";
}

Options onlyAssertions(const std::string& solver = "sat") {
  Options options;
  options.properties = {Property::Assert};
  options.solver = solver;
  return options;
}

void expectReplays(const std::string& text, const Report& report) {
  for (const Finding& finding : report.findings) {
    const ReplayResult again = replayed(text, finding.schedule);
    EXPECT_TRUE(again.ok) << again.error;
    EXPECT_TRUE(std::any_of(again.failures.begin(), again.failures.end(), [&](const Finding& f) {
      return f.kind == finding.kind && f.place == finding.place;
    })) << finding.schedule;
  }
}

class Solvers : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Both, Solvers, testing::Values("sat", "z3"));

TEST_P(Solvers, Figure1FindsTheInputAndTheSchedule) {
  const std::string text = figure1("100");
  const Report report = check(text, onlyAssertions(GetParam()));
  ASSERT_EQ(Verdict::Violated, report.verdict) << report.problem;
  ASSERT_EQ(1u, report.findings.size());
  EXPECT_EQ(kHeaderLines + 4, report.findings[0].place.line);
  EXPECT_TRUE(std::any_of(report.findings[0].inputs.begin(), report.findings[0].inputs.end(),
                          [](const InputValue& i) { return i.value >= 100; }));
  EXPECT_EQ(2u, report.stats.paths);
  expectReplays(text, report);
}

TEST_P(Solvers, Figure1IsVerifiedWhenTheErrorIsOutOfReach) {
  std::string text = figure1("200");
  EXPECT_EQ(Verdict::Violated, check(text, onlyAssertions(GetParam())).verdict);
  for (const char* input : {"i", "j"}) {
    const std::string declaration = std::string("int ") + input + " = heddle_input_int();";
    text.insert(text.find(declaration) + declaration.size(),
                std::string(" heddle_assume(") + input + " <= 100);");
  }
  EXPECT_EQ(Verdict::Verified, check(text, onlyAssertions(GetParam())).verdict);
}

TEST_P(Solvers, Figure2NeedsThreeAndTwo) {
  const std::string text = figure2(2);
  const Report report = check(text, onlyAssertions(GetParam()));
  ASSERT_EQ(1u, report.findings.size()) << report.problem;
  EXPECT_EQ(Verdict::Violated, report.verdict);
  std::map<std::string, int64_t> inputs;
  for (const InputValue& input : report.findings[0].inputs) inputs[input.name] = input.value;
  EXPECT_EQ(3, inputs["i"]);
  EXPECT_EQ(2, inputs["j"]);
  expectReplays(text, report);
}

TEST_P(Solvers, Figure2IsVerifiedWithAtMostOneRound) {
  const Report report = check(figure2(1), onlyAssertions(GetParam()));
  EXPECT_EQ(Verdict::Verified, report.verdict) << report.problem;
  EXPECT_TRUE(report.findings.empty());
}

TEST_P(Solvers, Figure8aReachesTheErrorPath) {
  const std::string text =
      "int x;\n"
      "void *t1(void *p) { int i = heddle_input_int(); int j = heddle_input_int();\n"
      "  if (i > 0) x = 1; else { if (j > 0) x = 2; else x = 3; } return p; }\n"
      "void *t2(void *p) { if (x == 2) assert(!\"error\"); return p; }\n"
      "int main(void) { pthread_t t[2]; pthread_create(t, 0, t1, 0); pthread_create(t + 1, 0, t2, 0);\n"
      "  for (int k = 0; k < 2; k++) pthread_join(t[k], 0); return 0; }\n";
  const Report report = check(text, onlyAssertions(GetParam()));
  ASSERT_EQ(1u, report.findings.size()) << report.problem;
  EXPECT_EQ(kHeaderLines + 4, report.findings[0].place.line);
  expectReplays(text, report);
}

TEST(Exploration, ARaceIsFoundAndReplays) {
  const std::string text =
      "int n;\n"
      "void *t(void *p) { n++; return p; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0);\n"
      "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
  const Report report = check(text);
  ASSERT_FALSE(report.findings.empty());
  for (const Finding& finding : report.findings) EXPECT_EQ(Property::Race, finding.kind);
  EXPECT_EQ(Verdict::Verified, report.properties.at(Property::Assert));
  expectReplays(text, report);
}

TEST(Exploration, ALockedCounterHasNoRace) {
  const Report report = check(
      "int n; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "void *t(void *p) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return p; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0);\n"
      "  pthread_join(a, 0); pthread_join(b, 0); assert(n == 2); return 0; }\n");
  EXPECT_EQ(Verdict::Verified, report.verdict) << report.problem;
}

std::string lockOrder(const char* first, const char* second) {
  return std::string(
             "pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n"
             "void *t1(void *p) { pthread_mutex_lock(&a); pthread_mutex_lock(&b);\n"
             "  pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return p; }\n"
             "void *t2(void *p) { pthread_mutex_lock(&") +
         first + "); pthread_mutex_lock(&" + second +
         ");\n  pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return p; }\n"
         "int main(void) { pthread_t x, y; pthread_create(&x, 0, t1, 0); pthread_create(&y, 0, t2, 0);\n"
         "  pthread_join(x, 0); pthread_join(y, 0); return 0; }\n";
}

TEST(Exploration, LocksInOppositeOrderDeadlock) {
  const std::string text = lockOrder("b", "a");
  const Report report = check(text);
  ASSERT_EQ(1u, report.findings.size()) << report.problem;
  EXPECT_EQ(Property::Deadlock, report.findings[0].kind);
  expectReplays(text, report);
  EXPECT_EQ(Verdict::Verified, check(lockOrder("a", "b")).verdict);
}

TEST(Exploration, ASpentStepBudgetIsNeverGreen) {
  const Report report = check(figure2(1), onlyAssertions(), 40);
  EXPECT_EQ(Verdict::Incomplete, report.verdict);
  EXPECT_EQ(Verdict::Incomplete, report.properties.at(Property::Assert));
}

TEST(Exploration, TheSameStepBudgetGivesTheSameReport) {
  const Report a = check(figure2(2), {}, 3000), b = check(figure2(2), {}, 3000);
  ASSERT_EQ(a.findings.size(), b.findings.size());
  for (size_t i = 0; i < a.findings.size(); ++i) {
    EXPECT_EQ(a.findings[i].schedule, b.findings[i].schedule);
    EXPECT_EQ(a.findings[i].id, b.findings[i].id);
  }
  EXPECT_EQ(a.stats.executions, b.stats.executions);
}

TEST(Exploration, CancellingEndsIt) {
  std::stop_source stop;
  Budget budget;
  budget.withStop(stop.get_token());
  Observer observer;
  observer.progress = [&](const Progress& progress) {
    if (progress.executions > 0) stop.request_stop();
  };
  Snapshot snapshot;
  snapshot.path = "/nowhere/test.c";
  snapshot.text = withHeaders(figure2(1'000'000));
  snapshot.command = commandFromFlags(snapshot.path, {});
  const Report report = analyze(snapshot, onlyAssertions(), budget, observer);
  EXPECT_TRUE(report.verdict == Verdict::Cancelled || report.verdict == Verdict::Violated);
  EXPECT_TRUE(report.properties.at(Property::Assert) != Verdict::Verified);
}

TEST(Exploration, WhatCannotBeModelledIsReportedAtItsPlace) {
  Snapshot snapshot;
  snapshot.path = "/nowhere/test.c";
  snapshot.text = withHeaders("void launch(int *);\nint main(void) { int n = 1; launch(&n); return n; }\n");
  snapshot.command = commandFromFlags(snapshot.path, {});
  EXPECT_EQ(Verdict::VerifiedWithinBounds, analyze(snapshot, {}, Budget().withSteps(10'000)).verdict);
  snapshot.environment.unknown = UnknownEffect::Refused;
  const Report report = analyze(snapshot, {}, Budget().withSteps(10'000));
  EXPECT_EQ(Verdict::Unsupported, report.verdict);
  EXPECT_EQ(kHeaderLines + 2, report.problemPlace.line);
  EXPECT_NE(std::string::npos, report.problem.find("launch")) << report.problem;
}

TEST(Exploration, AFileThatDoesNotCompileHasNoVerdict) {
  const Report report = check("int main(void) { return }\n");
  EXPECT_EQ(Verdict::Error, report.verdict);
  EXPECT_EQ(kHeaderLines + 1, report.problemPlace.line);
}

TEST(Exploration, TheSharingAnalysisAgreesWithEventsForEverything) {
  for (const char* bound : {"100", "1000"}) {
    Options everything = onlyAssertions();
    everything.everyAccessIsEvent = true;
    std::string text = figure1(bound);
    EXPECT_EQ(check(text, onlyAssertions()).verdict, check(text, everything).verdict);
  }
}

}  // namespace
}  // namespace heddle::test
