// Exploration: what all strategies share: options, results, and the runner that executes the program and
// merges each run into the forest.
//
// Threading: an exploration runs on one thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/explore/forest/forest.h"
#include "analysis/explore/forest/forest_builder.h"
#include "analysis/explore/run/con2colic_options.h"
#include "analysis/interp/core/machine.h"
#include "analysis/model/problem.h"
#include "analysis/solver/solver.h"
#include "analysis/solver/team/solver_team.h"

namespace heddle {

class Journal;

/// A failure with the run that reaches it.
struct Witness {
  Failure failure;
  Schedule schedule;  // up to the failure
  std::vector<UsedInput> inputs;
  std::vector<TraceEntry> trace;  // up to the failure; shared events only
};

/// A run that ended with threads that wait for ever.
struct StuckRun {
  std::vector<NodeId> waiting;  // what each of them waits for
  std::vector<NodeId> ended;    // the last nodes of the others
  Schedule schedule;
  std::vector<UsedInput> inputs;
  std::vector<TraceEntry> trace;
};

struct ExploreOptions {
  FunctionId entry = 0;
  SolverKind solver = SolverKind::Sat;
  SolverTeam::Shape team;  // shape of the fast backend's team
  uint32_t unroll = 0;
  uint32_t rounds = 0;  // MachineOptions::rounds
  uint64_t seed = 1;
  uint32_t randomRuns = 8;   // random runs before the first question to the solver
  uint32_t idleRuns = 16;    // random variants of each model's run end after so many that bring nothing new
  bool inputsFirst = false;  // paths of a program that has one thread are searched alone (input_search.h)
  bool mergePaths = true;    // paths of a thread that meet in one local state are merged
  uint64_t maxRunEvents = 4'000;  // a run that is longer is cut, and the cut is a bound
  Journal* journal = nullptr;  // records every run, and has the runs of an earlier process; only for `forest`
  bool cutsCounted = false;    // MachineOptions::cutsCounted
  ReachLog* reach = nullptr;   // MachineOptions::reach
  Con2colicOptions con2colic;
  /// Constants for all inputs (missing: 0), by thread label and order; null: all inputs are explored.
  const std::map<std::string, std::vector<int64_t>>* fixedInputs = nullptr;
};

/// What `con2colic` has covered; see con2colic_strategy.h.
struct BranchCoverage {
  uint64_t branches = 0;           // sides of branches and switches in the program text
  std::vector<uint64_t> byDegree;  // [k]: newly covered with k interferences
  uint64_t scenarios = 0;          // interference scenario candidates that were examined
  uint64_t unrealizable = 0;
  std::vector<uint64_t> firstFinding;  // [i]: the execution that first showed the i-th failure
};

struct ExploreStats {
  uint64_t executions = 0, events = 0, restarts = 0;
  uint64_t openLeaves = 0;
  uint64_t states = 0;  // joint states that were visited, see state_search.h
  uint64_t rounds = 0;  // the largest RunResult::rounds of an execution
  double interpSeconds = 0;
  SolverStats solver;
};

enum class OpenKind : uint8_t { Condition, Value, Step };

struct ExploreResult {
  /// Everything reachable was explored, apart from what `bounds` and `assumptions` name.
  bool complete = false;
  StopReason stop = StopReason::None;
  Problem problem;  // why not complete, when neither budget nor cancellation is the reason
  std::string unsupported;
  PlaceId unsupportedPlace = kNone;
  std::set<Bound> bounds;
  std::set<Bound> misuseBounds;  // bounds of the property misuse alone
  std::set<std::pair<PlaceId, std::string>> assumptions;
  /// Number of joint locations of a proof by invariants, after which loops are no bounds; 0: there is no
  /// such proof.
  uint64_t provedLocations = 0;
  std::vector<Witness> witnesses;  // one per kind, place and message
  uint64_t paths = 0;
  std::map<std::pair<PlaceId, OpenKind>, uint64_t> open;  // number of branches that are left
  std::optional<BranchCoverage> coverage;
  ExploreStats stats;
};

struct ExploreCallbacks {
  std::function<void(const Witness&)> witness = [](const Witness&) {};
  std::function<void(const StuckRun&)> stuck = [](const StuckRun&) {};
  /// After each merged run, which Runner::lastRun and the builder describe.
  std::function<void()> merged = [] {};
  std::function<void(const ExploreResult&)> progress = [](const ExploreResult&) {};
};

/// The schedule of the first `length` entries of a trace, with all inputs that were used.
Schedule scheduleOf(const Names& names, const std::vector<TraceEntry>& trace, size_t length,
                    const std::vector<UsedInput>& inputs);

/// Executes runs and keeps what they teach.
class Runner {
 public:
  Runner(const Program& program, const ExploreOptions& options, bool everyAccessIsEvent,
         const ExploreCallbacks& callbacks);

  enum class Outcome : uint8_t {
    Merged,     // the run is part of the forest
    Restarted,  // the run showed that more objects are shared, so the forest was emptied
    Ended,      // the budget is spent, or the run did not follow the forest, which was then emptied
  };
  Outcome run(Scheduler& scheduler, InputSource& inputs, const Budget& budget);
  /// As `run`, for a schedule from a model. The inputs are those of the model, or the constants that the
  /// options set.
  Outcome follow(Scheduler& scheduler, InputSource& inputs, const Budget& budget);
  /// Executes the journal's runs, so that the forest is again as it was. False if the budget ended before
  /// that.
  bool resume(const Budget& budget);
  /// How often a run has emptied the forest, for either reason. What was made of nodes before, such as a
  /// formula, must not be used once this has changed, no matter how large the forest is by now.
  uint64_t timesEmptied() const { return timesEmptied_; }

  Forest& forest() { return forest_; }
  ForestBuilder& builder() { return builder_; }
  Names& names() { return names_; }
  TermTable& terms() { return terms_; }
  Locations& locations() { return locations_; }
  const ExploreOptions& options() const { return options_; }
  const ExploreCallbacks& callbacks() const { return callbacks_; }
  ExploreResult& result() { return result_; }
  /// The threads of the last run, and how each one ended or stopped.
  const RunResult& lastRun() const { return last_; }
  /// Tells of the last run that its threads wait for ever (ExploreCallbacks::stuck).
  void reportStuck();
  /// Why the last run did not reach its goal. It is an internal error, as `text` says, unless the run
  /// dropped a term, or a failure that the formula does not know ended it.
  Problem whyMissed(const std::string& text) const;
  void progress() { callbacks_.progress(result_); }
  /// Some run has asked for an input.
  bool usedInputs() const { return usedInputs_; }
  const Program& program() const { return program_; }
  /// Adds to `edges` the edges that branches take in later runs; null stops this. `edges` must outlive
  /// those runs.
  void noteBranches(std::set<std::pair<uint32_t, uint32_t>>* edges) { branchEdges_ = edges; }

 private:
  Outcome execute(Scheduler& scheduler, InputSource& inputs, const Budget& budget);
  void emptyForest();
  void learn(const RunResult& run);

  const Program& program_;
  ExploreOptions options_;
  const ExploreCallbacks& callbacks_;
  Names names_;
  TermTable terms_;
  Locations locations_;
  Forest forest_;
  ForestBuilder builder_;
  ExploreResult result_;
  RunResult last_;
  uint64_t timesEmptied_ = 0;
  bool usedInputs_ = false;
  bool droppedTerm_ = false;  // some run has dropped a term
  std::set<std::pair<uint32_t, uint32_t>>* branchEdges_ = nullptr;
  std::set<std::tuple<FailureKind, PlaceId, std::string>> seen_;
};

/// Inputs for runs without a model: constants. (RandomInputs: small random values from a seed.)
class FixedInputs : public InputSource {
 public:
  /// `symbolic`: branches on inputs are still recorded as forks, although these values never take the other
  /// sides.
  FixedInputs(const Names& names, const std::map<std::string, std::vector<int64_t>>& values,
              bool symbolic = false)
      : names_(names), values_(values), symbolic_(symbolic) {}
  uint64_t value(const InputRequest& request, NodeId node) override;
  bool symbolic() const override { return symbolic_; }

 private:
  const Names& names_;
  const std::map<std::string, std::vector<int64_t>>& values_;
  bool symbolic_;
};

class RandomInputs : public InputSource {
 public:
  explicit RandomInputs(uint64_t seed) : state_(seed) {}
  uint64_t value(const InputRequest& request, NodeId node) override;

 private:
  uint64_t state_;
};

/// Values by input node (from a model); others are 0.
class ModelInputs : public InputSource {
 public:
  void set(NodeId node, uint64_t bits) { values_[node] = bits; }
  uint64_t value(const InputRequest&, NodeId node) override {
    const auto it = values_.find(node);
    return it == values_.end() ? 0 : it->second;
  }

 private:
  std::unordered_map<NodeId, uint64_t> values_;
};

}  // namespace heddle
