// Many random programs: what the forest reaches against the exhaustive oracle, over all schedules and inputs.
// Prints each difference with the seed and the program, and the counts; exit code 1 if there was a
// difference.
//
//   oracle [FIRST_SEED] [COUNT] [sat|z3] [plain|sync|spin]
//   oracle [FIRST_SEED] [COUNT] STRATEGY[,STRATEGY...]     mpc-s1, mpc-s2, mpc-s2-fixed, census, ...
//                       compares global paths and failures: what is missed is counted, what is invented is an
//                       error. Of con2colic the covered sides of branches are compared, of mcr (with the last
//                       assignment of inputs) the histories of values.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/unit/explore/random_program.h"

namespace {

using namespace heddle;
using namespace heddle::test;

size_t countMissing(const std::set<std::string>& from, const std::set<std::string>& in) {
  size_t missing = 0;
  for (const std::string& s : from) missing += in.count(s) == 0;
  return missing;
}

/// What one strategy reached of what there is.
struct Share {
  std::string strategy;
  uint64_t paths = 0, missed = 0, invented = 0, lossy = 0, bugs = 0, bugsMissed = 0, wrong = 0, undecided = 0,
           executions = 0;

  void add(uint64_t seed, const std::string& text, const Reached& oracle, const Reached& reached) {
    const size_t lost = countMissing(oracle.globalPaths, reached.globalPaths);
    const size_t extra = countMissing(reached.globalPaths, oracle.globalPaths) +
                         countMissing(reached.failures, oracle.failures);
    paths += oracle.globalPaths.size();
    executions += reached.executions;
    missed += lost;
    invented += extra;
    lossy += lost != 0;
    bugs += oracle.failures.size();
    const size_t lostBugs = countMissing(oracle.failures, reached.failures);
    bugsMissed += lostBugs;
    undecided += !reached.complete;
    // A strategy that may miss paths says so by never being complete.
    const bool broken = reached.executions == 0 || reached.problem.starts_with("internal");
    if (extra == 0 && !broken && oracle.complete && (!reached.complete || (lost == 0 && lostBugs == 0)))
      return;
    ++wrong;
    std::printf("%s, seed %llu: missed %zu, invented %zu %s %s\n%s\n", strategy.c_str(),
                static_cast<unsigned long long>(seed), lost, extra, reached.problem.c_str(),
                oracle.problem.c_str(), text.c_str());
  }

  void print(uint64_t count) const {
    std::printf(
        "%s on %llu programs: %llu wrong, %llu not complete; of %llu global paths %llu missed (in %llu "
        "programs), "
        "%llu invented; of %llu failing places %llu missed; %llu executions\n",
        strategy.c_str(), static_cast<unsigned long long>(count), static_cast<unsigned long long>(wrong),
        static_cast<unsigned long long>(undecided), static_cast<unsigned long long>(paths),
        static_cast<unsigned long long>(missed), static_cast<unsigned long long>(lossy),
        static_cast<unsigned long long>(invented), static_cast<unsigned long long>(bugs),
        static_cast<unsigned long long>(bugsMissed), static_cast<unsigned long long>(executions));
  }
};

int compareStrategies(const std::string& names, uint64_t first, uint64_t count) {
  std::vector<Share> shares;
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');) shares.push_back({name});
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const RandomProgram program = randomProgram(seed);
    std::optional<Reached> all;  // by the oracle, which takes longest
    for (Share& share : shares) {
      if (share.strategy == "mcr") {
        share.add(seed, program.text, reachedByOracleOfValues(program.text, program.inputs.back()),
                  reachedByValues(program.text, program.inputs.back()));
        continue;
      }
      if (!all) all = reachedByOracle(program.text, program.inputs);
      Reached oracle = *all, reached = reachedBy(share.strategy, program.text);
      if (share.strategy == "con2colic") {
        oracle.globalPaths = branchSides(oracle.localPaths);
        reached.globalPaths = branchSides(reached.localPaths);
      }
      share.add(seed, program.text, oracle, reached);
    }
  }
  bool right = true;
  for (const Share& share : shares) {
    share.print(count);
    right &= share.wrong == 0;
  }
  return right ? 0 : 1;
}

void printDifference(const char* what, const std::set<std::string>& oracle,
                     const std::set<std::string>& forest) {
  for (const std::string& s : oracle)
    if (!forest.count(s)) std::printf("  %s missed: %s\n", what, s.c_str());
  for (const std::string& s : forest)
    if (!oracle.count(s)) std::printf("  %s invented: %s\n", what, s.c_str());
}
}  // namespace

int main(int argc, char** argv) {
  const uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  const uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000;
  if (argc > 3 && std::strcmp(argv[3], "z3") != 0 && std::strcmp(argv[3], "sat") != 0)
    return compareStrategies(argv[3], first, count);
  const SolverKind solver = argc > 3 && !std::strcmp(argv[3], "z3") ? SolverKind::Z3 : SolverKind::Sat;
  const bool sync = argc > 4 && !std::strcmp(argv[4], "sync");
  const bool spin = argc > 4 && !std::strcmp(argv[4], "spin");
  uint64_t different = 0, undecided = 0, executions = 0, oracleExecutions = 0, racy = 0, failing = 0,
           stuck = 0, byStates = 0;
  std::map<std::string, uint64_t> refused;  // by the search of joint states: why
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const RandomProgram program = sync   ? randomSyncProgram(seed)
                                  : spin ? randomSpinProgram(seed)
                                         : randomProgram(seed);
    // Loops that wait are checked against an exploration that has none.
    Reached oracle = reachedByOracle(spin ? program.bounded : program.text, program.inputs);
    if (spin) oracle.deadlock = reachedByOracle(program.text, program.inputs).deadlock;
    const Reached forest = reachedByForest(program.text, solver);
    const Reached merged = reachedWithMerging(program.text);
    const Reached states = reachedByStates(program.text, program.inputs);
    executions += forest.executions;
    oracleExecutions += oracle.executions;
    racy += !oracle.races.empty();
    failing += !oracle.failures.empty();
    stuck += oracle.deadlock;
    byStates += states.complete;
    if (!states.complete) ++refused[states.problem];
    if (!oracle.complete || !forest.complete || !merged.complete) {
      ++undecided;
      std::printf("seed %llu: undecided: %s %s\n", static_cast<unsigned long long>(seed),
                  oracle.problem.c_str(), (forest.problem + merged.problem).c_str());
      std::printf("%s\n", program.text.c_str());
      printDifference("races", oracle.races, forest.races);
      continue;
    }
    const bool sameStates =
        !states.complete || (oracle.failures == states.failures && oracle.races == states.races &&
                             (states.deadlock || !oracle.deadlock) && (forest.deadlock || !states.deadlock));
    const bool same = sameStates && (spin || oracle.localPaths == forest.localPaths) &&
                      oracle.failures == forest.failures && oracle.races == forest.races &&
                      (forest.deadlock || !oracle.deadlock) && oracle.failures == merged.failures &&
                      oracle.races == merged.races && (merged.deadlock || !oracle.deadlock);
    if (same) continue;
    ++different;
    std::printf("seed %llu: different\n%s\n", static_cast<unsigned long long>(seed), program.text.c_str());
    if (!spin) printDifference("local paths", oracle.localPaths, forest.localPaths);
    printDifference("failures", oracle.failures, forest.failures);
    printDifference("races", oracle.races, forest.races);
    if (oracle.deadlock != forest.deadlock)
      std::printf("  deadlock: oracle %d, forest %d\n", oracle.deadlock, forest.deadlock);
    if (sameStates) continue;
    printDifference("failures by states", oracle.failures, states.failures);
    printDifference("races by states", oracle.races, states.races);
    std::printf("  no end: oracle %d, forest %d, states %d\n", oracle.deadlock, forest.deadlock,
                states.deadlock);
  }
  std::printf(
      "%llu programs: %llu different, %llu undecided; %llu with a failing assertion, %llu with a race, %llu "
      "with "
      "a deadlock; %llu executions by the forest, %llu by the oracle; all states of %llu\n",
      static_cast<unsigned long long>(count), static_cast<unsigned long long>(different),
      static_cast<unsigned long long>(undecided), static_cast<unsigned long long>(failing),
      static_cast<unsigned long long>(racy), static_cast<unsigned long long>(stuck),
      static_cast<unsigned long long>(executions), static_cast<unsigned long long>(oracleExecutions),
      static_cast<unsigned long long>(byStates));
  for (const auto& [why, programs] : refused)
    std::printf("  not all states of %llu: %s\n", static_cast<unsigned long long>(programs), why.c_str());
  return different == 0 ? 0 : 1;
}
