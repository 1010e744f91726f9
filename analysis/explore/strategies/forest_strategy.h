// ForestStrategy: explores thread-local paths only, until every continuation of every known path is either
// explored or proved unreachable (design, part 5).
//
//   forest := a few runs
//   loop: ask Ψ(forest) ∧ "some open leaf is reached"
//     Sat   → inputs and a total order of events → run it → merge
//     Unsat → no open leaf is reachable. The guards say "nothing unknown", and the forest
//             has everything that is known, so the exploration is complete.
//
// A leaf is an unexplored side of a branch, a value that a choice has not taken, or an event that a thread
// was waiting for when its run ended. An assertion is a branch whose false side fails, so a complete
// exploration decides every assertion for all schedules and all inputs.
//
// Threading: one thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/explore/formula/encoder.h"
#include "analysis/explore/run/exploration.h"
#include "analysis/explore/run/guided_scheduler.h"
#include "analysis/explore/strategies/input_search.h"

namespace heddle {

class ForestStrategy {
 public:
  explicit ForestStrategy(Runner& runner) : runner_(runner) {}

  /// Fills the runner's result. Returns when the exploration is complete or the budget is spent. Calls
  /// `queries` when the forest is complete, and from time to time before that.
  void explore(
      const Budget& budget, const std::function<void()>& queries = [] {});

  /// `proof` is called before each question to the solver, and once with true when a question takes long.
  /// If it returns true, everything that can happen is known by other means than the solver, and `queries`
  /// is not called. It may execute runs.
  void setOtherProof(std::function<bool(bool takesLong)> proof) { otherProof_ = std::move(proof); }

  /// `call` is called before each question to the solver about open leaves. It may execute runs.
  void setBeforeQuestions(std::function<void()> call) { beforeQuestions_ = std::move(call); }

  // For further questions about the same Ψ (races, deadlocks):
  Encoder& encoder() { return *encoder_; }
  Runner& runner() { return runner_; }
  Solver& solver() { return *solver_; }
  /// Asks the solver for a model of Ψ ∧ literals, within what is known.
  Answer query(std::span<const Lit> literals, const Budget& budget);
  /// After Sat: the events of the model in order, and its inputs. An atomic section that its thread does
  /// not leave comes last, because no other thread can go on after it. It is left out unless its thread is
  /// in `mayStay`.
  std::vector<NodeId> modelPlan(ModelInputs& inputs, std::span<const ThreadId> mayStay) const;

 private:
  struct Leaf {
    NodeId node = kNone;
    uint64_t slot = 0;
    enum class Kind : uint8_t { Side, OtherValue, Pending } kind = Kind::Side;
    bool error = false;
    bool closed = false;
  };
  /// A model that reaches some leaves, as the plan of the run that is to follow it.
  struct Plan {
    std::vector<size_t> leaves;
    std::vector<ThreadId> first;  // the threads of the leaves
    std::vector<NodeId> events;
    ModelInputs inputs;
  };

  bool firstRuns(const Budget& budget);
  void restart();
  /// A run has emptied the forest since the restart, so leaves and formula speak of nodes that are gone.
  /// `again`: the exploration must restart. It is over if the run did not follow the forest.
  bool isVoid(bool& again) const;
  void collectLeaves();
  void closeExplored();
  /// Notes for the report at which places branches are left.
  void noteOpen();
  Lit literal(const Leaf& leaf);
  Answer ask(const std::vector<size_t>& open, const Budget& budget);
  /// Only main's thread is known: its inputs alone decide where a run goes.
  bool isSequential() const;
  /// Asks the solver. The first time that takes long, it tries the other proof before it goes on asking.
  /// Nothing if that holds, or if it has executed something.
  std::optional<Answer> askOrProve(const std::vector<size_t>& open, const Budget& budget, bool& again);
  bool round(const Budget& budget, bool& again);
  /// From the model.
  Plan planFor(const std::vector<size_t>& leaves);
  Runner::Outcome follow(const Plan& plan, const Budget& budget);
  /// Executes runs that leave a plan somewhere and go on at random, as long as they bring something new.
  /// They are worth it because a run costs a thousandth of a hard question.
  Runner::Outcome vary(const Plan& plan, const Budget& budget);
  /// True if the other proof holds, or if it has executed something.
  bool proveOtherwise(bool& again, bool takesLong);
  /// As long as there is one thread, if the options ask for it. False: the exploration is over, or must
  /// begin again.
  bool searchInputs(const Budget& budget, bool& again);
  void suggestLastRun();
  void noteStop(Answer answer, const Budget& budget);

  Runner& runner_;
  std::unique_ptr<Solver> solver_;
  std::unique_ptr<Encoder> encoder_;
  uint64_t timesEmptied_ = 0;  // of the runner at the restart
  std::vector<Leaf> leaves_;
  std::unique_ptr<InputSearch> inputs_;  // null: nothing was searched so
  bool nothingNew_ = false;              // a model led to nothing new, so asking again would never end
  size_t scanned_ = 0;                   // nodes whose leaves have been collected
  std::vector<NodeId> choices_;
  std::function<bool(bool takesLong)> otherProof_;
  std::function<void()> beforeQuestions_;
  bool isProved_ = false;      // by the other proof
  bool hasTakenLong_ = false;  // a question
};

}  // namespace heddle
