// MpcStrategy: Maximal Path Causality as published (Yi and Huang, ESEC/FSE 2018): Algorithms 1 and 2 with
// Strategy 1, or with Strategy 2, which asks unsatisfiable cores for threads that may be let go on.
//
// A path is a combination of thread-local paths. Each run that follows a prefix is split into all
// combinations of its threads' unexplored suffixes; each that has a schedule and inputs is run in turn. The
// combinations are produced one at a time.
//
// Algorithm 3, with ExploreOptions::team.threads workers: combinations that are known are asked in parallel;
// what comes of them is run in their order. So executions, paths and findings are the same for any number of
// workers. The runs themselves are not parallel: they share the forest, and are a small part of the time.
//
// Both strategies are kept literal, for comparison: they can miss paths (see docs/mpc-strategy-2.md), so a
// run of them that finds no bug proves nothing. MpcCompleteStrategy is the one that misses none.
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

  /// Fills the runner's result. Returns when the work list is empty or the budget is spent; never claims to
  /// be complete.
  void explore(const Budget& budget);

 private:
  /// Runs it to quiescence and splits its path. After it the exploration may have ended or restarted.
  void execute(MpcItem item, const Budget& budget);
  void split(const MpcItem& item);
  /// The next combinations, in the order in which they came up.
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
