// Many random programs: what the forest reaches against the exhaustive oracle, over all schedules and inputs.
// Prints each difference with the seed and the program, and the counts; exit code 1 if there was a
// difference.
//
//   oracle [FIRST_SEED] [COUNT] [sat|z3]
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/unit/explore/random_program.h"

int main(int argc, char** argv) {
  using namespace heddle;
  using namespace heddle::test;
  const uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  const uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000;
  const SolverKind solver = argc > 3 && !std::strcmp(argv[3], "z3") ? SolverKind::Z3 : SolverKind::Sat;
  uint64_t different = 0, undecided = 0, executions = 0, oracleExecutions = 0, racy = 0, failing = 0,
           stuck = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const RandomProgram program = randomProgram(seed);
    const Reached oracle = reachedByOracle(program.text, program.inputs);
    const Reached forest = reachedByForest(program.text, solver);
    executions += forest.executions;
    oracleExecutions += oracle.executions;
    racy += !oracle.races.empty();
    failing += !oracle.failures.empty();
    stuck += oracle.deadlock;
    if (!oracle.complete || !forest.complete) {
      ++undecided;
      std::printf("seed %llu: undecided: %s %s\n", static_cast<unsigned long long>(seed),
                  oracle.problem.c_str(), forest.problem.c_str());
      continue;
    }
    const bool same = oracle.localPaths == forest.localPaths && oracle.failures == forest.failures &&
                      oracle.races == forest.races && (forest.deadlock || !oracle.deadlock);
    if (same) continue;
    ++different;
    std::printf("seed %llu: different\n%s\n", static_cast<unsigned long long>(seed), program.text.c_str());
  }
  std::printf(
      "%llu programs: %llu different, %llu undecided; %llu with a failing assertion, %llu with a race, %llu "
      "with "
      "a deadlock; %llu executions by the forest, %llu by the oracle\n",
      static_cast<unsigned long long>(count), static_cast<unsigned long long>(different),
      static_cast<unsigned long long>(undecided), static_cast<unsigned long long>(failing),
      static_cast<unsigned long long>(racy), static_cast<unsigned long long>(stuck),
      static_cast<unsigned long long>(executions), static_cast<unsigned long long>(oracleExecutions));
  return different == 0 ? 0 : 1;
}
