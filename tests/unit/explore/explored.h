// Test helper: C text in, results of an exploration out. The only place of these tests that touches the API.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/explore/strategies/exhaustive.h"
#include "analysis/pipeline/pipeline.h"

namespace heddle::test {

using Inputs = std::map<std::string, std::vector<int64_t>>;

/// The headers and declarations all test programs start with, and how many lines they take.
inline constexpr uint32_t kHeaderLines = 5;
std::string withHeaders(const std::string& text);

Report check(const std::string& text, const Options& options = {}, uint64_t steps = 2'000'000,
             Budget budget = {});
ReplayResult replayed(const std::string& text, const std::string& schedule);

/// What forest and oracle reach with inputs fixed.
struct Reached {
  bool complete = false;
  std::string problem;
  std::set<std::string> localPaths;
  std::set<std::string> failures;
  std::set<std::string> races;
  bool deadlock = false;
  uint64_t executions = 0;
  std::set<std::string> globalPaths = {};  // executed
  uint64_t states = 0;                     // of a search of joint states
  uint64_t eagerSteps = 0;                 // of them, taken at once
};
Reached reachedByForest(const std::string& text, const Inputs& inputs, SolverKind solver = SolverKind::Sat);
Reached reachedByOracle(const std::string& text, const Inputs& inputs);

/// The same over all inputs: the forest's for symbolic ones, the oracle's union over `each` assignment.
Reached reachedByForest(const std::string& text, SolverKind solver = SolverKind::Sat);
/// The same where the inputs of a program with one thread are searched path by path first.
Reached reachedByInputs(const std::string& text);
/// As `heddle check` explores: paths that meet are merged, so single local paths cannot be told. Null: all
/// inputs.
Reached reachedWithMerging(const std::string& text, const Inputs* inputs = nullptr);
/// The same with helpers for every question: `threads` searches in all.
Reached reachedByTeam(const std::string& text, unsigned threads);
Reached reachedByOracle(const std::string& text, const std::vector<Inputs>& each);
/// By a search of all joint states for each assignment: failures, races, and as `deadlock` whether some state
/// leads to no end.
Reached reachedByStates(const std::string& text, const std::vector<Inputs>& each);
/// The same by one search, over all inputs. More workers than one expand states even where few wait.
Reached reachedByStates(const std::string& text, unsigned workers = 1);

/// By another strategy, over all inputs; "census": `forest` and then every global path.
Reached reachedBy(const std::string& strategy, const std::string& text);
/// The same of a file below tests/ with -D flags, by several workers, and the numbers of executions and
/// queries.
struct ReachedByWorkers {
  Reached reached;
  uint64_t queries = 0;
  std::vector<std::string> schedules;  // of the failures, in the order in which they were found
};
ReachedByWorkers reachedByWorkers(const std::string& strategy, const std::string& file,
                                  const std::vector<std::string>& flags, unsigned workers, uint64_t steps);
/// The same by `mcr` and by the oracle, with constants for inputs: paths are histories of the values read.
Reached reachedByValues(const std::string& text, const Inputs& inputs);
Reached reachedByOracleOfValues(const std::string& text, const Inputs& inputs);

/// The sides of branches in local paths, by place: "12:3=1".
std::set<std::string> branchSides(const std::set<std::string>& localPaths);

/// A program of tests/bench/programs with -D flags.
Report checkBenchProgram(const std::string& file, const std::vector<std::string>& flags,
                         const Options& options, uint64_t steps = 20'000'000);

}  // namespace heddle::test
