// The cover search (ConcBugAssist, Algorithm 2) on the paper's Figure 3: its kill-sets, the sixteen sets of
// Figure 6 and the four solutions of Figure 7; and what is chosen greedily where the exact search is cut.
#include "analysis/diagnose/covers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "analysis/diagnose/diagnosis.h"
#include "analysis/explore/strategies/forest_strategy.h"
#include "analysis/pipeline/prepare.h"
#include "tests/unit/diagnose/diagnosed.h"
#include "tests/unit/diagnose/figures.h"

namespace heddle::test {
namespace {

/// Orderings by the lines of the two events, headers left out.
using Edge = std::pair<uint32_t, uint32_t>;
using Edges = std::set<Edge>;

/// The cores of a program's assertion and the search over them.
class Covers {
 public:
  explicit Covers(const std::string& text) {
    Snapshot snapshot;
    snapshot.path = "/nowhere/test.c";
    snapshot.text =
        "#include <pthread.h>\n#include <assert.h>\n#include <stdlib.h>\nint heddle_input_int(void);\n" +
        text;
    snapshot.command = commandFromFlags(snapshot.path, {});
    prepared_ = prepare(snapshot, "main");
    ExploreOptions options;
    options.entry = prepared_.entry;
    options.mergePaths = false;
    callbacks_.witness = [this](const Witness& witness) {
      subjects_.push_back(DiagnosisSubject::of(witness));
    };
    runner_ = std::make_unique<Runner>(*prepared_.program, options, false, callbacks_);
    ForestStrategy(*runner_).explore(budget_, [] {});
    const std::optional<FailingExecution> failing = failingExecution(*runner_, subjects_.front(), budget_);
    events_ = std::make_unique<SourceEvents>(runner_->forest());
    formula_ = std::make_unique<ExecutionFormula>(
        runner_->forest(), *events_, runner_->builder().initialValues(), runner_->terms(), SolverKind::Sat);
    formula_->build(failing->target, budget_);
    cores_ = findCores(*runner_, *events_, *formula_, failing->execution, {}, budget_);
  }

  const std::vector<Core>& cores() const { return cores_.cores; }
  CoverSet run(const CoverOptions& options = {}) const {
    return CoverSearch(runner_->forest(), *events_, formula_->precedence(), cores_.cores)
        .run(options, budget_);
  }
  Edge edge(const Ordering& ordering) const { return {line(ordering.before), line(ordering.after)}; }
  Edges edges(const std::vector<Ordering>& orderings) const {
    Edges all;
    for (const Ordering& ordering : orderings) all.insert(edge(ordering));
    return all;
  }
  uint32_t line(SourceEventId id) const {
    return prepared_.program->place((*events_)[id].place).line - kHeaderLines;
  }

 private:
  PreparedProgram prepared_;
  ExploreCallbacks callbacks_;
  std::vector<DiagnosisSubject> subjects_;
  Budget budget_ = Budget().withSteps(4'000'000);
  std::unique_ptr<Runner> runner_;
  std::unique_ptr<SourceEvents> events_;
  std::unique_ptr<ExecutionFormula> formula_;
  CoreSet cores_;
};

/// Whether edges lead round, by following them: nothing of the search is used.
bool leadsRound(const Edges& edges) {
  const std::function<bool(uint32_t, uint32_t, size_t)> leads = [&](uint32_t from, uint32_t to,
                                                                    size_t steps) {
    if (steps == 0) return false;
    return std::any_of(edges.begin(), edges.end(), [&](const Edge& e) {
      return e.first == from && (e.second == to || leads(e.second, to, steps - 1));
    });
  };
  return std::any_of(edges.begin(), edges.end(),
                     [&](const Edge& e) { return leads(e.second, e.first, edges.size()); });
}

Edges united(Edges a, const Edges& b) {
  a.insert(b.begin(), b.end());
  return a;
}

// The figure's e5, e6, e10 and e11 are the lines 3, 4, 8 and 9 of our text.
constexpr uint32_t kE5 = 3, kE6 = 4, kE10 = 8, kE11 = 9;
const Edges kProgram = {{kE5, kE6}, {kE10, kE11}};

TEST(Covers, Figure3HasTheKillSetsAndTheSixteenSetsOfFigure6) {
  const Covers covers(kFigure3);
  ASSERT_EQ(covers.cores().size(), 2u);
  const CoverSet found = covers.run();
  ASSERT_EQ(found.killSets.size(), 2u);
  std::set<Edges> killSets;
  for (const std::vector<Ordering>& killers : found.killSets) killSets.insert(covers.edges(killers));
  const Edges first = {{kE10, kE5}, {kE11, kE5}, {kE6, kE10}, {kE6, kE11}};
  const Edges second = {{kE5, kE10}, {kE11, kE5}, {kE6, kE10}, {kE11, kE6}};
  EXPECT_EQ(killSets, (std::set<Edges>{first, second}));

  // Figure 6: one killer of each core. Eight of the sixteen lead round with the program's order, eight are
  // valid, and of these four say something that no other one says with less.
  size_t sets = 0, cycles = 0;
  std::set<Edges> valid;
  for (const Edge& one : first)
    for (const Edge& other : second) {
      ++sets;
      const Edges chosen = {one, other};
      if (leadsRound(united(kProgram, chosen)))
        ++cycles;
      else
        valid.insert(chosen);
    }
  EXPECT_EQ(sets, 16u);
  EXPECT_EQ(cycles, 8u);
  // What the program's order implies is left out, as the figure's last column does.
  std::set<Edges> simplified;
  for (const Edges& chosen : valid) {
    if (chosen.count({kE11, kE5}))
      simplified.insert(Edges{Edge{kE11, kE5}});
    else if (chosen.count({kE6, kE10}))
      simplified.insert(Edges{Edge{kE6, kE10}});
    else
      simplified.insert(chosen);
  }
  EXPECT_EQ(simplified.size(), 4u);

  std::set<Edges> solutions;
  for (const Cover& cover : found.covers) solutions.insert(covers.edges(cover.orderings));
  EXPECT_EQ(solutions, simplified);
  const std::set<Edges> figure7 = {Edges{Edge{kE6, kE10}}, Edges{Edge{kE11, kE5}},
                                   Edges{Edge{kE5, kE10}, Edge{kE6, kE11}},
                                   Edges{Edge{kE10, kE5}, Edge{kE11, kE6}}};
  EXPECT_EQ(solutions, figure7);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.approximate, 0u);
}

TEST(Covers, Figure8IsTheCompositeOfFigure3) {
  const Covers covers(kFigure3);
  const CoverSet found = covers.run();
  std::set<Edge> stretches;
  for (const Stretch& stretch : found.exclusive)
    stretches.emplace(covers.line(stretch.first), covers.line(stretch.last));
  EXPECT_EQ(stretches, (std::set<Edge>{{kE5, kE6}, {kE10, kE11}}));
}

TEST(Covers, WhereTheExactSearchIsCutGreedyOnesFollow) {
  for (const char* text : {kFigure3, kFigure9}) {
    const Covers covers(text);
    ASSERT_FALSE(covers.cores().empty());
    CoverOptions options;
    options.maxSteps = 0;
    const CoverSet found = covers.run(options);
    EXPECT_FALSE(found.complete);
    ASSERT_GT(found.covers.size(), 0u);
    EXPECT_LE(found.approximate, options.maxApproximate);
    const CoverSet exact = covers.run();
    for (const Cover& cover : found.covers)
      EXPECT_TRUE(std::any_of(exact.covers.begin(), exact.covers.end(), [&](const Cover& other) {
        return other.orderings == cover.orderings;
      })) << "not one of the minimal covers";
  }
  // Figure 3 without the covers of the same text in all threads: all its four are within reach.
  const Covers covers(kFigure3);
  CoverOptions options;
  options.maxSteps = 0;
  const CoverSet found = covers.run(options);
  for (const Cover& cover : found.covers) {
    const Edges chosen = covers.edges(cover.orderings);
    EXPECT_FALSE(leadsRound(united(kProgram, chosen)));
    for (const Core& core : covers.cores())
      EXPECT_TRUE(leadsRound(united(united(kProgram, chosen), covers.edges(core.orderings))))
          << "a core is not excluded";
  }
}

}  // namespace
}  // namespace heddle::test
