// The engine's verdicts on random programs against the reference interpreter's.
//
//   reference FIRST COUNT [KIND[,KIND...]] [STRATEGY] [32]
//   reference FILE                                          what the reference says of one program
//   reference text KIND SEED                                the program itself
//
// KIND is plain, sync, spin, mixed, inputs, sections or loops; without one they take turns.
//
// Prints each difference and each program that stays undecided, with its seed, then the counts; exit code 1
// if there was a difference.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/reference/compare.h"
#include "tests/unit/explore/explored.h"

namespace {

using namespace heddle;
using namespace heddle::test;

int show(const char* path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const reference::Decision decision = reference::decide(text.str());
  if (!decision.problem.empty()) {
    std::printf("undecided: %s\n", decision.problem.c_str());
    return 2;
  }
  for (const auto& [kind, line] : decision.failures) std::printf("%s: line %u\n", kind.c_str(), line);
  for (const auto& [a, b] : decision.races) std::printf("race: lines %u and %u\n", a, b);
  if (decision.deadlock) std::printf("deadlock\n");
  std::printf("%llu states\n", static_cast<unsigned long long>(decision.states));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2) return show(argv[1]);
  if (argc == 4 && !std::strcmp(argv[1], "text")) {
    std::fputs(randomText(argv[2], std::strtoull(argv[3], nullptr, 10)).c_str(), stdout);
    return 0;
  }
  const uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  const uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000;
  std::vector<std::string> kinds;
  std::istringstream list(argc > 3 ? argv[3] : "plain,sync,spin,mixed,inputs,sections,loops");
  for (std::string kind; std::getline(list, kind, ',');) kinds.push_back(kind);
  CompareOptions options;
  if (argc > 4) options.strategy = argv[4];
  if (argc > 5 && !std::strcmp(argv[5], "32")) options.bits = 32;

  uint64_t different = 0, undecided = 0, states = 0, proofs = 0;
  std::map<std::string, uint64_t> violated;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const std::string& kind = kinds[seed % kinds.size()];
    const std::string text = randomText(kind, seed);
    const Comparison result = compare(text, options);
    states += result.decision.states;
    proofs += result.proofs;
    for (const char* property : {"assert", "race", "deadlock", "memory", "misuse", "uninitialized"})
      violated[property] += result.decision.violates(property);
    if (result.undecided.empty() && result.differences.empty()) continue;
    std::printf("%s seed %llu: %s\n", kind.c_str(), static_cast<unsigned long long>(seed),
                result.undecided.c_str());
    for (const std::string& difference : result.differences) std::printf("  %s\n", difference.c_str());
    std::printf("%s\n", withHeaders(text).c_str());
    std::fflush(stdout);
    ++(result.differences.empty() ? undecided : different);
  }
  std::printf("%llu programs by %s: %llu different, %llu undecided; violated:",
              static_cast<unsigned long long>(count), options.strategy.c_str(),
              static_cast<unsigned long long>(different), static_cast<unsigned long long>(undecided));
  for (const auto& [property, times] : violated)
    std::printf(" %s %llu", property.c_str(), static_cast<unsigned long long>(times));
  std::printf("; %llu states of the reference; %llu properties proved by invariants\n",
              static_cast<unsigned long long>(states), static_cast<unsigned long long>(proofs));
  return different ? 1 : 0;
}
