// GrowthGuards: "something not seen yet". The sets that can grow with the forest (writes a read may take its
// value from, releases of a lock, creates of a thread, ends a join waits for) are disjunctions that end in a
// guard literal, and the guards of one set of events are a group.
//
// A question about what is known assumes the negation of all guards; an unsatisfiable answer names the groups
// that it needed, and holds until one of them grows.
//
// Threading: as the encoder that owns it.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/solver/solver.h"

namespace heddle {

class GrowthGuards {
 public:
  explicit GrowthGuards(Solver& solver) : solver_(solver) {}

  /// A set of guards that are assumed together. `version` changes when the set behind it grows.
  struct Group {
    Lit guard = 0;
    uint32_t version = 0;
    bool grown = false;
    bool ofReads = false;  // the sets are writes that reads of one location may read from
    std::vector<uint32_t> members;
  };
  const std::vector<Group>& groups() const { return groups_; }

  uint32_t newGroup(bool ofReads = false);
  /// A guard of `group`, relevant where `owner` is true: the last alternative of a growing disjunction.
  uint32_t newGuard(uint32_t group, Lit owner);
  /// It changes when the guard grows.
  Lit lit(uint32_t guard) const { return guards_[guard].lit; }
  /// Adds an alternative to the disjunction that ends in `guard`; takes effect with `close`.
  void grow(uint32_t guard, Lit alternative);
  /// What has grown gets its new alternatives, and a new guard behind them.
  void close();

 private:
  struct Guard {
    Lit lit = 0;
    uint32_t group = 0;
    Lit owner = 0;
    std::vector<Lit> pending;
  };

  Solver& solver_;
  std::vector<Group> groups_;
  std::vector<Guard> guards_;
};

}  // namespace heddle
