// Search: how the strategy `forest` spends a budget. First an exploration without bounds. When that does not
// end in its part of the budget, explorations whose loops are cut after 2, 4, 8, … rounds: what they find is
// as true as anything, and one that is complete makes the verdict one within bounds instead of none.
//
// Threading: call from one thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "analysis/detect/detector.h"
#include "analysis/explore/invariants/invariant_proof.h"
#include "analysis/explore/run/exploration.h"
#include "analysis/explore/strategies/forest_strategy.h"

namespace heddle {

struct SearchOptions {
  ExploreOptions explore;
  bool everyAccessIsEvent = false;
  std::string_view text;          // of the main file
  std::set<Property> properties;  // what detectors look for
  bool deepen = true;             // also within bounds
  uint64_t expectedStates = 0;    // Options::expectedStates
  bool leavesTime = false;        // when something was found, some of the budget is left to explain it
};

/// `Runner` is the one whose forest the finding is about.
struct SearchCallbacks {
  std::function<void(Runner&, const Witness&)> witness;
  std::function<void(Detection)> detected;
  std::function<void(const ExploreResult&)> progress;
  std::function<void(Runner&)> ran;  // each run that became part of a forest
};

struct SearchResult {
  ExploreResult explored;
  std::set<Property> decided;  // of those that a detector looks for
};

class Search {
 public:
  Search(const Program& program, SearchOptions options, SearchCallbacks callbacks);
  ~Search();
  SearchResult run(const Budget& budget);
  /// Of the exploration without bounds.
  Runner& runner();

 private:
  class Exploration;
  SearchResult deepened(SearchResult first, const Budget& budget);
  /// Whether all properties hold in loops without a bound; asked once.
  bool proveLoops();
  /// What is complete but for loops that were cut, and proven: then it has no bounds. False where it is not.
  bool liftBounds(ExploreResult& explored);
  SearchCallbacks noted(SearchCallbacks callbacks);
  /// Every detector whose findings a verdict depends on has decided its candidates.
  bool isDecided(const SearchResult& result) const;

  const Program& program_;
  const SearchOptions options_;
  const SearchCallbacks callbacks_;
  bool hasFound_ = false;                // something to explain
  std::optional<InvariantProof> proof_;  // where it was tried
  const Budget* budget_ = nullptr;       // the whole, while it runs
  std::unique_ptr<Exploration> first_;
};

}  // namespace heddle
