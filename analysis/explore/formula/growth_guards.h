// GrowthGuards: guards that stand for "something not seen yet". Some sets can grow with the forest: the
// writes a read may take its value from, the releases of a lock, the creates of a thread, the ends a join
// waits for. The formula has each such set as a disjunction that ends in a guard literal. The guards of one
// set of events form a group.
//
// A question about what is known assumes the negation of all guards. An unsatisfiable answer names the
// groups that it needed and holds until one of them grows.
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
    bool ofReads = false;  // the group's sets are the writes that reads of one location may read from
    std::vector<uint32_t> members;
  };
  const std::vector<Group>& groups() const { return groups_; }

  uint32_t newGroup(bool ofReads = false);
  /// Makes a guard of `group`: the last alternative of a growing disjunction. It matters only where `owner`
  /// is true.
  uint32_t newGuard(uint32_t group, Lit owner);
  /// The guard's present literal; it changes when the guard grows.
  Lit lit(uint32_t guard) const { return guards_[guard].lit; }
  /// Adds an alternative to the disjunction that ends in `guard`; takes effect with `close`.
  void grow(uint32_t guard, Lit alternative);
  /// Gives each disjunction that has grown its new alternatives, and a new guard after them.
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
