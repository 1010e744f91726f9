// Comparison of the engine's verdicts with the reference interpreter's on random programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/reference/search.h"

namespace heddle::test {

/// The kinds of random programs: "plain", "sync", "spin" (tests/unit/explore), "mixed"
/// (random_mixed_program.h), "loops", "waits" (random_loop_program.h).
std::string randomText(const std::string& kind, uint64_t seed);

struct Comparison {
  std::vector<std::string> differences;  // "race: reference yes, forest verified"
  std::string undecided;                 // by whom and why; empty: both decided
  reference::Decision decision;
  size_t proofs = 0;  // properties that invariants prove
};

struct CompareOptions {
  std::string strategy = "forest";
  uint64_t steps = 400'000;   // of the engine
  uint64_t states = 200'000;  // of the reference
  unsigned bits = 64;         // size of an address
  bool everyAccess = false;
};

/// Compares the verdict of every property and the lines of failing assertions. A strategy that does not
/// decide a property is not asked for it; one that says `verified` must be right.
Comparison compare(const std::string& text, const CompareOptions& options = {});

}  // namespace heddle::test
