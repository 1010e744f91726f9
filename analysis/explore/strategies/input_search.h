// InputSearch: the inputs of a program while it has one thread, path by path (concolic testing: Godefroid,
// Klarlund, Sen: DART, PLDI 2005). A question has the conditions of one path that are related to the one
// that is turned round (Cadar, Dunbar, Engler: KLEE, OSDI 2008, "constraint independence"), so it stays as
// small as the path, however large the forest is.
//
// Sides of branches that no run has taken anywhere in the text come first, then what lies nearest to the
// beginning.
//
// Only forests without merges: each fork then has one path.
//
// Threading: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/explore/run/exploration.h"
#include "analysis/model/term_symbols.h"

namespace heddle {

class InputSearch {
 public:
  explicit InputSearch(Runner& runner) : runner_(runner), symbols_(runner.terms()) {}

  /// Returns when every fork that depends on inputs alone is taken or refuted, when a second thread starts,
  /// or when the budget is spent. Merged: the forest is valid.
  Runner::Outcome explore(const Budget& budget);
  /// No inputs lead from the node to that continuation.
  bool isRefuted(NodeId node, uint64_t slot) const { return refuted_.contains({node, slot}); }

 private:
  using Inputs = std::map<uint32_t, uint64_t>;  // by number of symbol; others are 0
  struct Fork {
    NodeId node = kNone;
    uint64_t slot = 0;
    bool isValue = false;                // any value that was not taken yet
    std::shared_ptr<const Inputs> from;  // of a run that came there; null: they are not known
  };
  using Place = std::pair<PlaceId, uint64_t>;

  void collect(const std::shared_ptr<const Inputs>& from);
  void queue(size_t fork);
  bool isNew(const Fork& fork) const;
  bool isTaken(const Fork& fork) const;
  /// The conditions of the fork's path, its own first; nothing: they are not on inputs alone.
  std::optional<std::vector<Term>> conditionsOf(const Fork& fork) const;
  Answer solve(const std::vector<Term>& conditions, Inputs& inputs, const Budget& budget);

  Runner& runner_;
  size_t scanned_ = 0;  // nodes
  std::vector<Fork> forks_;
  std::set<std::tuple<bool, uint32_t, size_t>> waiting_;  // forks: not new, depth, index
  std::set<Place> taken_;
  std::set<std::pair<NodeId, uint64_t>> refuted_;
  std::unordered_map<uint32_t, NodeId> inputOf_;  // by number of symbol
  TermSymbols symbols_;
};

}  // namespace heddle
