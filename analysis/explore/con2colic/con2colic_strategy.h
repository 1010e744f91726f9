// Con2colicStrategy (`con2colic`): concurrent concolic testing (Farzan, Holzer, Razavi and Veith, FSE 2013).
//
// The strategy tries interference scenarios by the number of their interferences: first all scenarios with
// none, then all with one, and so on. A scenario that can be realized (inputs and a schedule exist) is run.
// The thread of its sink then goes on alone, and the other side of each branch that it passes becomes the
// sink of a new scenario. A scenario that cannot be realized is tried again with one more interference:
// from each write seen so far, and later from each write that is seen then.
//
// When no scenario is left, every branch that can be covered is covered.
//
// All workers answer questions about scenarios, a batch at a time (con2colic_question.h). The answers are
// processed one after the other, so the exploration is the same for any number of workers.
//
// Threading: one thread; its workers run only while they answer questions.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/explore/con2colic/con2colic_forest.h"
#include "analysis/explore/con2colic/con2colic_question.h"
#include "analysis/explore/run/exploration.h"

namespace heddle {

class Con2colicStrategy {
 public:
  explicit Con2colicStrategy(Runner& runner) : runner_(runner), interferences_(runner.forest()) {}

  /// Fills the runner's result; the result is complete when no scenario is left.
  void explore(const Budget& budget);

 private:
  using Read = std::pair<NodeId, LocationId>;
  struct Worklist {
    std::deque<Scenario> urgent, others;
  };
  /// A scenario that cannot be realized as it is.
  struct Unrealized {
    Scenario scenario;
    std::vector<Read> reads;    // any of these may get an interference
    NodeId lacksCause = kNone;  // otherwise: the join, wake or busy try-lock whose cause is missing
  };

  void restart();
  bool learn(const Budget& budget);
  void work(const Budget& budget);
  std::optional<Scenario> take(uint32_t degree);
  void process(const Scenario& scenario, const Budget& budget);
  /// Answers the question about the scenario, and about some of the scenarios that come next.
  void answerAhead(const Scenario& first, const Budget& budget);
  void realize(const Scenario& scenario, std::vector<NodeId> plan, ModelInputs& inputs, const Budget& budget);
  void postpone(Unrealized unrealized);
  /// Proposes the scenario again with each of the sources that fit.
  void extend(const Unrealized& unrealized, const std::vector<size_t>& sources);
  void interfere(const Unrealized& unrealized, const InterferenceForest::Source& source);
  void giveCause(const Unrealized& unrealized, const InterferenceForest::Source& source);
  void propose(const Scenario& scenario);
  void push(Scenario scenario);

  /// Takes in what the run of a scenario has shown. `end`: how far its sink's thread got.
  void learnFrom(Scenario scenario, const std::vector<NodeId>& plan, Position end);
  void proposeDuals(const Scenario& scenario, const ThreadPrefix& from, Position end);
  void proposeAwaited(const Scenario& scenario, Position end);
  /// The thread of the scenario's sink got to where it was meant to, and then went round in a loop. The
  /// round is not part of its path, and it may have begun before that place.
  bool wentRoundBehind(const Scenario& scenario) const;
  void noteCauses(Scenario& scenario, const std::vector<NodeId>& plan, uint32_t fromDepth);
  void dangling(const Scenario& scenario, ThreadPrefix sink);

  NodeId lackingCause(const Scenario& scenario) const;
  bool coversSomethingNew(const Scenario& scenario) const;
  void noteCoverage();
  uint64_t coveredBranches() const;

  Runner& runner_;
  InterferenceForest interferences_;
  std::map<uint32_t, Worklist> worklists_;
  std::vector<Unrealized> unrealized_;
  std::map<Dependency, std::vector<size_t>> waitingFor_;  // → numbers of unrealized ones
  std::set<std::vector<uint64_t>> dangling_, proposed_;
  std::set<std::pair<PlaceId, uint64_t>> sides_;  // sides of branches that were covered
  std::set<std::pair<uint32_t, uint32_t>> edges_, countable_;
  std::set<GlobalPath> paths_;
  /// Answers about scenarios that wait to be processed, by key.
  std::map<std::vector<uint64_t>, Con2colicAnswer> answers_;
  uint64_t answered_ = 0;  // number of scenarios that were processed
  uint32_t degree_ = 0;
  bool ended_ = false, restarted_ = false, cut_ = false;
};

/// The edges that branches and switches of the program text can take.
std::set<std::pair<uint32_t, uint32_t>> branchEdges(const Program& program);

}  // namespace heddle
