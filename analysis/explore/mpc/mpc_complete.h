// MpcCompleteStrategy (`mpc-s2-fixed`): path prefixes are combined and split as in MPC's Strategy 2, but no
// path is missed and none is invented. docs/mpc-strategy-2.md says how the published strategy fails.
//
// The difference: a combination of prefixes is asked for over everything that is known of every thread, and
// its threads need only get as far as their prefixes, anywhere beyond is allowed. When there is no such
// execution, a thread may still get there through code that no run has seen. So the strategy asks whether
// some continuation that no run has taken is reachable while every thread keeps to its prefix (stopping
// anywhere, also before a lock or a join); if so it is run and the combination asked again, if not the
// combination has no path at all.
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

  /// Fills the runner's result; complete when every global path was executed.
  void explore(const Budget& budget);

 private:
  using Combination = std::vector<ThreadPrefix>;
  /// A set of conditions on threads that no execution satisfies, with what is known.
  using Core = std::vector<std::pair<ThreadId, ThreadPrefix>>;

  void restart();
  /// Grows with whatever is learned of the forest.
  size_t knowledge() const;
  bool run(std::vector<NodeId> plan, InputSource& inputs, std::vector<ThreadId> first, const Budget& budget);
  void split(const Combination& prefix);
  bool handle(const Combination& prefix, const Budget& budget);
  /// Whether a continuation that no run has taken could be reached along the combination; it was then run.
  bool grow(const Combination& prefix, bool& grown, const Budget& budget);
  /// The same beside all combinations: an execution in which an assumption fails lies on none, and yet others
  /// go on in it.
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
    std::vector<NodeId> creates;  // by thread: the Create that made it in the run, or kNone
  };
  /// The combination of a split that is due; false when it is part of another one.
  static bool takeCombination(const Forest& forest, const Split& split, Combination& prefix);

  std::deque<Split> splits_;
  std::vector<Core> cores_;  // of the forest as it is
  std::map<std::pair<NodeId, std::vector<uint64_t>>, Lit> otherValues_;
  size_t closedAt_ = 0;  // knowledge with which no continuation was open at all
  size_t askedAt_ = 0;   // knowledge with which that was asked
  bool ended_ = false, restarted_ = false;
};

}  // namespace heddle
