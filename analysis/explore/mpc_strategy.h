// MpcStrategy: Maximal Path Causality as published (Yi and Huang, ESEC/FSE 2018): Algorithms 1 and 2 with
// Strategy 1, or with Strategy 2, which asks unsatisfiable cores for threads that may be let go on.
//
// A path is a combination of thread-local paths. Each run that follows a prefix is split into all
// combinations of its threads' unexplored suffixes; each that has a schedule and inputs is run in turn. The
// combinations are produced one at a time.
//
// Both strategies are kept literal, for comparison: they can miss paths (see docs/mpc-strategy-2.md), so a
// run of them that finds no bug proves nothing. MpcCompleteStrategy is the one that misses none.
//
// Threading: one thread.
#pragma once

#include <deque>
#include <vector>

#include "analysis/explore/exploration.h"
#include "analysis/explore/path_formula.h"
#include "analysis/explore/prefix_product.h"

namespace heddle {

class MpcStrategy {
 public:
  /// `cores`: Strategy 2; else Strategy 1.
  MpcStrategy(Runner& runner, bool cores) : runner_(runner), cores_(cores) {}

  /// Fills the runner's result. Returns when the work list is empty or the budget is spent; never claims to
  /// be complete.
  void explore(const Budget& budget);

 private:
  /// A schedule with inputs, and the prefix that it leads to.
  struct Item {
    std::vector<NodeId> plan;
    ModelInputs inputs;
    std::vector<ThreadPrefix> prefix;
    /// A reachable prefix to which threads are taken back when `prefix` itself is not (yet) reachable.
    std::vector<ThreadPrefix> base;
    std::vector<ThreadId> first;
  };

  bool execute(Item item, const Budget& budget);
  void split(const Item& item);
  bool handle(const std::vector<ThreadPrefix>& prefix, const std::vector<ThreadPrefix>& base,
              const Budget& budget);
  /// Strategy 2 for an unsatisfiable prefix.
  bool extend(const std::vector<ThreadPrefix>& prefix, const std::vector<ThreadPrefix>& base,
              const std::vector<ThreadId>& core, const Budget& budget);
  Answer ask(std::vector<ThreadPrefix>& prefix, Item& item, std::vector<ThreadId>* core,
             const Budget& budget);

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
