// MpcStrategy: Maximal Path Causality as published (Yi and Huang, ESEC/FSE 2018): Algorithms 1 and 2 with
// Strategy 1, or with Strategy 2, which takes from unsatisfiable cores the threads that may go on.
//
// A path is a combination of thread-local paths. Each run that follows a prefix is split into all
// combinations of its threads' unexplored suffixes. Each combination that has a schedule and inputs is run
// in turn. The combinations are produced one at a time.
//
// Algorithm 3, with ExploreOptions::team.threads workers: the solver is asked about the known combinations
// in parallel, but the answers are run in the order of the combinations. So executions, paths and findings
// are the same for any number of workers. The runs themselves are not parallel: they share the forest, and
// are a small part of the time.
//
// Both strategies follow the paper literally, for comparison. They can miss paths (see
// docs/mpc-strategy-2.md), so a run of them that finds no bug proves nothing. MpcCompleteStrategy misses no
// path.
//
// Threading: belongs to one thread, which starts the others and waits for them.
#pragma once

#include <deque>
#include <vector>

#include "analysis/explore/mpc/mpc_question.h"
#include "analysis/explore/mpc/prefix_product.h"
#include "analysis/explore/run/exploration.h"

namespace heddle {

class MpcStrategy {
 public:
  /// `cores`: Strategy 2; else Strategy 1.
  MpcStrategy(Runner& runner, bool cores) : runner_(runner), cores_(cores) {}

  /// Fills the runner's result. Returns when the work list is empty or the budget is spent. The result
  /// never claims to be complete.
  void explore(const Budget& budget);

 private:
  /// Runs the item to quiescence and splits its path. The exploration may have ended or restarted
  /// afterwards.
  void execute(MpcItem item, const Budget& budget);
  void split(const MpcItem& item);
  /// Takes the next combinations, in the order in which they were produced.
  std::vector<MpcQuestion> takeQuestions(const Budget& budget);
  std::vector<MpcAnswer> answerAll(const std::vector<MpcQuestion>& questions);
  void take(const MpcQuestion& question, MpcAnswer answered, const Budget& budget);

  Runner& runner_;
  const bool cores_;
  struct Split {
    PrefixProduct combinations;
    std::vector<ThreadPrefix> base;
  };
  std::deque<Split> splits_;
  bool ended_ = false, restarted_ = false;
};

}  // namespace heddle
