// ForestStrategy: explores thread-local paths only, until every continuation of every known path is either
// explored or proved unreachable (design, part 5).
//
//   forest := a few runs
//   loop: ask Ψ(forest) ∧ "some open leaf is reached"
//     Sat   → inputs and a total order of events → run it → merge
//     Unsat → no open leaf is reachable with what is known; since the guards say "nothing unknown", and all
//     that is known is in
//             the forest, the exploration is complete
//
// A leaf is an unexplored side of a branch, a value that a choice has not taken, or an event that a thread
// was waiting for when its run ended. An assertion is a branch whose false side fails, so at the end every
// assertion is decided for all schedules and all inputs.
//
// Threading: one thread.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "analysis/explore/formula/encoder.h"
#include "analysis/explore/run/exploration.h"
#include "analysis/explore/run/guided_scheduler.h"

namespace heddle {

class ForestStrategy {
 public:
  explicit ForestStrategy(Runner& runner) : runner_(runner) {}

  /// Fills the runner's result; returns when complete or when the budget is spent. `queries` is called when
  /// the forest is complete, and now and then before.
  void explore(
      const Budget& budget, const std::function<void()>& queries = [] {});

  /// Asked before each question to the solver, and once when a question takes long (then with true). True: it
  /// was shown by other means that all that can happen is known; `queries` is not called then. It may execute
  /// runs.
  void setOtherProof(std::function<bool(bool takesLong)> proof) { otherProof_ = std::move(proof); }

  /// Called before each question to the solver about what is open. It may execute runs.
  void setBeforeQuestions(std::function<void()> call) { beforeQuestions_ = std::move(call); }

  // For further questions about the same Ψ (races, deadlocks):
  Encoder& encoder() { return *encoder_; }
  Runner& runner() { return runner_; }
  Solver& solver() { return *solver_; }
  /// Asks Ψ ∧ literals, with what is known.
  Answer query(std::span<const Lit> literals, const Budget& budget);
  /// After Sat: the events of the model in order, and its inputs. An atomic section that its thread does not
  /// leave comes last, for nobody else can go on then; it is left out unless `mayStay` has its thread.
  std::vector<NodeId> modelPlan(ModelInputs& inputs, std::span<const ThreadId> mayStay) const;

 private:
  struct Leaf {
    NodeId node = kNone;
    uint64_t slot = 0;
    enum class Kind : uint8_t { Side, OtherValue, Pending } kind = Kind::Side;
    bool error = false;
    bool closed = false;
  };
  /// A model that reaches some leaves, and the run that is to follow.
  struct Plan {
    std::vector<size_t> leaves;
    std::vector<ThreadId> first;  // the threads of the leaves
    std::vector<NodeId> events;
    ModelInputs inputs;
  };

  bool firstRuns(const Budget& budget);
  void restart();
  void collectLeaves();
  void closeExplored();
  /// Where branches are left, for the report.
  void noteOpen();
  Lit literal(const Leaf& leaf);
  Answer ask(const std::vector<size_t>& open, const Budget& budget);
  /// Asks; when that takes long for the first time, tries the other proof before it asks on.
  Answer askOrProve(const std::vector<size_t>& open, const Budget& budget, bool& again);
  bool round(const Budget& budget, bool& again);
  /// From the model.
  Plan planFor(const std::vector<size_t>& leaves);
  Runner::Outcome follow(const Plan& plan, const Budget& budget);
  /// Runs that leave a plan somewhere and go on at random, as long as they bring something new: a run costs
  /// a thousandth of a hard question.
  Runner::Outcome vary(const Plan& plan, const Budget& budget);
  /// True when the other proof holds, or has executed something.
  bool proveOtherwise(bool& again, bool takesLong);
  void suggestLastRun();
  void noteStop(Answer answer, const Budget& budget);

  Runner& runner_;
  std::unique_ptr<Solver> solver_;
  std::unique_ptr<Encoder> encoder_;
  std::vector<Leaf> leaves_;
  bool nothingNew_ = false;  // a model led to nothing new: asking again would not end
  size_t scanned_ = 0;       // nodes whose leaves have been collected
  std::vector<NodeId> choices_;
  std::function<bool(bool takesLong)> otherProof_;
  std::function<void()> beforeQuestions_;
  bool isProved_ = false;      // by the other proof
  bool hasTakenLong_ = false;  // a question
};

}  // namespace heddle
