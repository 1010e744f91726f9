// Search: how the strategy `forest` spends a budget. It begins with an exploration without bounds. If that
// does not end within its part of the budget, it makes explorations whose loops are cut after 2, 4, 8, …
// rounds. Their findings are as valid as any, and a complete one gives a verdict within bounds instead of
// none.
//
// Threading: one thread.
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
  bool deepen = true;             // also explore within bounds
  uint64_t expectedStates = 0;    // Options::expectedStates
  bool leavesTime = false;        // leave some of the budget to explain what was found
};

/// `Runner` is the one whose forest the finding belongs to.
struct SearchCallbacks {
  std::function<void(Runner&, const Witness&)> witness;
  std::function<void(Detection)> detected;
  std::function<void(const ExploreResult&)> progress;
  std::function<void(Runner&)> ran;  // after each run that became part of a forest
};

struct SearchResult {
  ExploreResult explored;
  std::set<Property> decided;  // decided properties among those with a detector
};

class Search {
 public:
  Search(const Program& program, SearchOptions options, SearchCallbacks callbacks);
  ~Search();
  SearchResult run(const Budget& budget);
  /// The runner of the exploration without bounds.
  Runner& runner();

 private:
  class Exploration;
  /// Of one call on an object of any content the inputs are searched path by path first.
  bool isCallAlone() const;
  SearchResult deepened(SearchResult first, const Budget& budget);
  /// Whether all properties hold in loops without a bound; computed once.
  bool proveLoops();
  /// The same by the simplest invariants; true at most once, as nothing is tried a second time.
  bool proveLoopsEarly();
  InvariantProof proofByInvariants(InvariantEffort effort) const;
  /// Removes the bounds if the exploration is complete except for cut loops and the properties are proven.
  /// False if it is not so.
  bool liftBounds(ExploreResult& explored);
  SearchCallbacks noted(SearchCallbacks callbacks);
  /// Every detector whose findings a verdict depends on has decided its candidates.
  bool isDecided(const SearchResult& result) const;

  const Program& program_;
  const SearchOptions options_;
  const SearchCallbacks callbacks_;
  bool hasFound_ = false;                // something was found that is to be explained
  std::optional<InvariantProof> proof_;  // set once the proof was tried in full, or has succeeded
  bool hasTriedEarly_ = false;           // a simple proof was tried
  const Budget* budget_ = nullptr;       // the whole budget, while run() is active
  std::unique_ptr<Exploration> first_;
};

}  // namespace heddle
