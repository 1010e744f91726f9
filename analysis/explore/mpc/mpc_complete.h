// MpcCompleteStrategy (`mpc-s2-fixed`): the strategy combines and splits path prefixes as MPC's Strategy 2
// does, but misses no path and invents none. docs/mpc-strategy-2.md says how the published strategy fails.
//
// The difference: a question about a combination of prefixes covers everything that is known of every
// thread. Each thread must get at least as far as its prefix and may go on from there in any way. If there
// is no such execution, a thread may still get there through code that no run has seen. So the strategy
// asks whether some continuation that no run has taken is reachable while every thread keeps to its prefix
// (it may stop anywhere, also before a lock or a join). If so, that continuation is run and the question
// about the combination is asked again. If not, the combination has no path at all.
//
// Threading: one thread.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "analysis/explore/formula/forest_formula.h"
#include "analysis/explore/mpc/prefix_product.h"

namespace heddle {

class MpcCompleteStrategy {
 public:
  explicit MpcCompleteStrategy(Runner& runner) : runner_(runner) {}

  /// Fills the runner's result; the result is complete when every global path was executed.
  void explore(const Budget& budget);

 private:
  using Combination = std::vector<ThreadPrefix>;
  /// A set of conditions on threads that no execution satisfies, as far as the forest is known.
  using Core = std::vector<std::pair<ThreadId, ThreadPrefix>>;

  void restart();
  /// A number that grows with everything that is learned about the forest.
  size_t knowledge() const;
  bool run(std::vector<NodeId> plan, InputSource& inputs, std::vector<ThreadId> first, const Budget& budget);
  void split(const Combination& prefix);
  bool handle(const Combination& prefix, const Budget& budget);
  /// Sets `grown` if some continuation that no run has taken could be reached along the combination; that
  /// continuation was then run. False: the exploration is over.
  bool grow(const Combination& prefix, bool& grown, const Budget& budget);
  /// The same without a combination: an execution in which an assumption fails belongs to none, but its
  /// other threads go on.
  bool growBesides(bool& grown, const Budget& budget);
  /// Runs the model of the last answer. False: the exploration is over.
  bool runOpen(bool& grown, const Budget& budget);
  Answer askOpen(const Combination& prefix, std::vector<Lit> literals, const Budget& budget);
  void noteCore(const Combination& prefix);
  bool stopAt(Answer answer, const Budget& budget);

  Lit literal(const ThreadPrefix& prefix);
  bool excluded(const Combination& prefix) const;
  std::vector<Lit> keepTo(const Combination& prefix);
  std::vector<Lit> openContinuations(const Combination& prefix);

  Runner& runner_;
  std::unique_ptr<ForestFormula> formula_;
  struct Split {
    PrefixProduct combinations;
    Combination from;             // the prefix that was split
    std::vector<NodeId> creates;  // by thread: the Create node in the run that created the thread, or kNone
  };
  /// Sets `prefix` to the current combination of the split. False: that combination is part of another one.
  static bool takeCombination(const Forest& forest, const Split& split, Combination& prefix);

  std::deque<Split> splits_;
  std::vector<Core> cores_;  // cores of the present forest
  std::map<std::pair<NodeId, std::vector<uint64_t>>, Lit> otherValues_;
  size_t closedAt_ = 0;  // the knowledge() with which no continuation was open at all
  size_t askedAt_ = 0;   // the knowledge() with which that question was asked last
  bool ended_ = false, restarted_ = false;
};

}  // namespace heddle
