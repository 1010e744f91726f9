// A run that does not follow the forest empties it and ends the exploration. Nothing may then be asked of the
// formula over the nodes that are gone, whoever executed the run.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/explore/run/guided_scheduler.h"
#include "analysis/explore/strategies/forest_strategy.h"
#include "analysis/pipeline/prepare.h"
#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

/// Paths meet where a round ends, and the next round begins with accesses to what is shared.
const char* const kRounds =
    "int n; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
    "void *work(void *p) { for (int i = 0; i < 2; i++) { pthread_mutex_lock(&m); if (n == 3) n = 7; n++;\n"
    "  pthread_mutex_unlock(&m); } return p; }\n"
    "int main(void) { pthread_t a, b; pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";

/// Executes a run that does not follow the forest, once the formula knows some of it.
class Contradiction {
 public:
  Contradiction(Runner& runner, ForestStrategy& strategy) : runner_(runner), strategy_(strategy) {}

  void run() {
    if (executions_ != 0 || strategy_.encoder().size() == 0) return;
    const std::vector<Term>& values = runner_.builder().initialValues();
    const auto known = std::find_if(values.begin(), values.end(), [](Term t) { return t != kNoTerm; });
    ASSERT_NE(known, values.end());
    runner_.builder().initialValue(static_cast<LocationId>(known - values.begin()), {77, kNoTerm});
    ModelInputs inputs;
    GuidedScheduler scheduler(runner_.forest(), runner_.builder(), {}, {});
    EXPECT_EQ(runner_.run(scheduler, inputs, {}), Runner::Outcome::Ended);
    EXPECT_EQ(runner_.forest().size(), 0u);
    executions_ = runner_.result().stats.executions;
  }
  /// Up to that run; 0: it was not executed.
  uint64_t executions() const { return executions_; }

 private:
  Runner& runner_;
  ForestStrategy& strategy_;
  uint64_t executions_ = 0;
};

enum class When { BeforeQuestions, OtherProof, Queries };

class EmptiedForest : public testing::TestWithParam<When> {};

TEST_P(EmptiedForest, EndsTheExploration) {
  Snapshot snapshot;
  snapshot.path = "/nowhere/main.c";
  snapshot.text = withHeaders(kRounds);
  snapshot.command = commandFromFlags(snapshot.path, {});
  const PreparedProgram prepared = prepare(snapshot, "main");
  ASSERT_TRUE(prepared.program) << prepared.problem;
  ExploreOptions options;
  options.entry = prepared.entry;
  options.randomRuns = 0;
  const ExploreCallbacks callbacks;
  Runner runner(*prepared.program, options, false, callbacks);
  ForestStrategy strategy(runner);
  Contradiction contradiction(runner, strategy);
  if (GetParam() == When::BeforeQuestions) strategy.setBeforeQuestions([&] { contradiction.run(); });
  if (GetParam() == When::OtherProof)
    strategy.setOtherProof([&](bool) {
      contradiction.run();
      return false;
    });
  strategy.explore(Budget().withSteps(1'000'000), [&] {
    if (GetParam() == When::Queries) contradiction.run();
  });
  EXPECT_NE(contradiction.executions(), 0u);
  EXPECT_EQ(runner.result().stats.executions, contradiction.executions());
  EXPECT_FALSE(runner.result().complete);
  EXPECT_EQ(runner.result().problem.kind, ProblemKind::Ours);
}

INSTANTIATE_TEST_SUITE_P(ByARun, EmptiedForest,
                         testing::Values(When::BeforeQuestions, When::OtherProof, When::Queries));

/// The search of joint states finds the failure in an execution with another `w` on a path that is known;
/// `half` has no term, so the path says that it is 0.
TEST(EmptiedForestOfAProgram, AFailureFromAnotherValueOnAKnownPathIsReported) {
  auto tuning = std::make_shared<Tuning>();
  tuning->stateQuestions1 = 0;  // before a question leads to the failure
  // Enough to find it, and not all.
  tuning->states1 = tuning->states2 = tuning->states3 = tuning->states4 = 6'000;
  const Report report = check(
      "int w, n, c; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "void *one(void *p) {\n"
      "  for (int i = 0; i < 20; i++) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); }\n"
      "  pthread_mutex_lock(&m); w = 2; pthread_mutex_unlock(&m);\n"
      "  pthread_mutex_lock(&m); w = 0; pthread_mutex_unlock(&m); return p; }\n"
      "void *two(void *p) {\n"
      "  pthread_mutex_lock(&m); int k = n; pthread_mutex_unlock(&m);\n"
      "  if (k == 19) c = 1;\n  if (k > 100) c = 2;\n"
      "  for (int i = 0; i < 2; i++) {\n"
      "    pthread_mutex_lock(&m); n++; int half = w * 1.5f; pthread_mutex_unlock(&m);\n"
      "    assert(half == 0); }\n  return p; }\n"
      "void *count(void *p) { for (int i = 0; i < 10; i++) { pthread_mutex_lock(&m); c++; "
      "pthread_mutex_unlock(&m); } return p; }\n"
      "int main(void) { pthread_t a, b, d; pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);\n"
      "  pthread_create(&d, 0, count, 0); return 0; }\n",
      {}, 2'000'000, Budget().withTuning(tuning));
  EXPECT_EQ(report.properties.at(Property::Assert), Verdict::Violated) << report.problem;
}

}  // namespace
}  // namespace heddle::test
