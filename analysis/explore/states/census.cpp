#include "analysis/explore/states/census.h"

#include <algorithm>
#include <list>
#include <set>

#include "analysis/explore/forest/thread_prefix.h"
#include "analysis/explore/formula/forest_formula.h"
#include "analysis/explore/states/census_part.h"
#include "analysis/support/in_parallel.h"

namespace heddle {

namespace {

/// The formula lets a thread that goes round stay where it is; the machine only while what it waits for does
/// not come. So the execution may have gone on from there, to a path that is a final one.
bool wentOn(const Forest& forest, const GlobalPath& expected, const GlobalPath& actual) {
  const std::set<Forest::Await> awaits = forest.awaits();
  const auto goesRound = [&](ThreadId thread, Position at) {
    return std::any_of(awaits.begin(), awaits.end(), [&](const Forest::Await& await) {
      return await.thread == thread && await.node == at.node && await.slot == at.slot;
    });
  };
  bool someGoRound = false;
  for (ThreadId t = 0; t < expected.size(); ++t) {
    const bool isRound = expected[t].node != kNone && goesRound(t, expected[t]);
    someGoRound |= isRound;
    const Position at = t < actual.size() ? actual[t] : Position{};
    if (!isRound && !follows(forest, at, {ThreadPrefix::End::Observed, expected[t], {}})) return false;
  }
  return someGoRound;
}

/// One census. Parts ask side by side for some executions each; these are then run in the order of the parts.
class Census {
 public:
  Census(Runner& runner, CensusOf which, const Budget& budget)
      : runner_(runner),
        which_(which),
        budget_(budget),
        size_(runner.forest().size()),
        known_(runner.builder().paths().begin(), runner.builder().paths().end()) {}

  bool take() {
    parts_.emplace_back(partsOf(runner_), which_);
    bool goesOn = round(kAlone);
    if (goesOn && !parts_.empty()) divide();
    while (goesOn && !parts_.empty()) goesOn = round(kAtOnce);
    for (const CensusPart& part : parts_) runner_.result().stats.solver += part.stats();
    return goesOn;
  }

 private:
  // The same for any number of workers. Many a census has few executions: one formula finds them.
  static constexpr size_t kAlone = 32, kParts = 4, kAtOnce = 64;

  /// False if the census cannot go on.
  bool round(size_t most) {
    struct Asked {
      CensusPart& part;
      Budget budget;  // its own, so that its end does not depend on the speed of others
      std::vector<CensusPart::Execution> found = {};
    };
    std::vector<Asked> all;
    for (CensusPart& part : parts_) {
      all.push_back({part, budget_.part(1)});
      // All of them are in memory together.
      if (const uint64_t memory = budget_.memoryLimit())
        all.back().budget.withMemory(memory / parts_.size() + 1);
    }
    inParallel(std::max(1u, runner_.options().team.threads), all.size(),
               [&](unsigned, size_t i) { all[i].found = all[i].part.ask(most, known_, all[i].budget); });
    for (Asked& asked : all) {
      for (CensusPart::Execution& execution : asked.found)
        if (!execute(execution)) return false;
      const Answer answer = asked.part.answer();
      if (answer == Answer::Sat || answer == Answer::Unsat) continue;
      noteNoAnswer(runner_, answer, asked.budget);
      return false;
    }
    parts_.remove_if([&](const CensusPart& part) {
      if (part.answer() == Answer::Unsat) runner_.result().stats.solver += part.stats();
      return part.answer() == Answer::Unsat;
    });
    return true;
  }

  void divide() {
    // A forest with merges keeps answers to questions about it, so one formula at a time may ask it.
    if (!runner_.forest().mergeEdges().empty()) return;
    for (const FinalStates::Share& share : parts_.front().shares(kParts)) {
      // What the first formula has learned stays of use.
      if (share.first != 0) parts_.emplace_back(partsOf(runner_), which_);
      parts_.back().narrow(share);
    }
  }

  bool execute(CensusPart::Execution& execution) {
    std::string problem;
    const Runner::Outcome outcome =
        followPlan(runner_, std::move(execution.plan), execution.inputs, {}, budget_, problem);
    if (outcome != Runner::Outcome::Merged) return false;
    const bool isExpected = runner_.builder().paths().count(execution.path) != 0 ||
                            wentOn(runner_.forest(), execution.path, runner_.builder().positions());
    if (problem.empty() && (!isExpected || runner_.forest().size() != size_))
      problem = "an execution of the census took another path than its model";
    if (!problem.empty()) {
      if (!runner_.result().problem) runner_.result().problem = runner_.whyMissed(problem);
      return false;
    }
    known_.push_back(std::move(execution.path));
    runner_.progress();
    return true;
  }

  Runner& runner_;
  const CensusOf which_;
  const Budget& budget_;
  const size_t size_;              // of the complete forest
  std::vector<GlobalPath> known_;  // paths that need no execution any more
  std::list<CensusPart> parts_;    // those that may find more
};

}  // namespace

bool takeCensus(Runner& runner, CensusOf which, const Budget& budget) {
  return Census(runner, which, budget).take();
}

}  // namespace heddle
