// Shared memory cells: which writes there are, and which write a read takes its value from.
//
// Says for every read r, its source w and every other write w' of the cell: if r takes its value from w and
// w' happens, then w' is before w or after r. There is such a constraint for every triple (reads times writes
// squared); here they are kept by their parts, and the search makes the clause of one when the current order
// violates it.
//
// Invariant: the active list of a cell holds the sources whose choice is true and was seen by the search, in
// the order of the trail, so that backtracking removes them from its end.
//
// Threading: belongs to its solver.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/solver/sat/literal.h"
#include "analysis/solver/sat/order_theory.h"

namespace heddle::sat {

class Cells {
 public:
  using Node = OrderTheory::Node;

  struct Write {
    Node node;
    Literal on;
  };
  struct Source {
    Literal chosen;
    Node read;
    Node write;  // kInitialWrite: the initial value
  };
  struct Cell {
    std::vector<Write> writes;
    std::vector<Source> sources;
    std::vector<uint32_t> active;  // indices of sources
  };
  /// What is to be looked at when a literal becomes true.
  struct Trigger {
    uint32_t cell, index;
    bool isWrite;
    uint32_t next;
  };

  uint32_t newCell() {
    cells_.emplace_back();
    return static_cast<uint32_t>(cells_.size() - 1);
  }

  void addWrite(uint32_t cell, const Write& write) {
    std::vector<Write>& writes = cells_[cell].writes;
    addTrigger(write.on, cell, static_cast<uint32_t>(writes.size()), true);
    writes.push_back(write);
  }

  void addSource(uint32_t cell, const Source& source, bool active) {
    std::vector<Source>& sources = cells_[cell].sources;
    const uint32_t index = static_cast<uint32_t>(sources.size());
    addTrigger(source.chosen, cell, index, false);
    sources.push_back(source);
    if (active) activate(cell, index);
  }

  void activate(uint32_t cell, uint32_t index) {
    cells_[cell].active.push_back(index);
    stack_.push_back(cell);
  }
  uint32_t activeSources() const { return static_cast<uint32_t>(stack_.size()); }
  void undoTo(uint32_t activeSources) {
    while (stack_.size() > activeSources) {
      cells_[stack_.back()].active.pop_back();
      stack_.pop_back();
    }
  }

  /// Index of the first trigger of p, or 0.
  uint32_t firstTrigger(Literal p) const { return p < triggerOf_.size() ? triggerOf_[p] : 0; }
  const Trigger& trigger(uint32_t i) const { return triggers_[i]; }
  uint32_t size() const { return static_cast<uint32_t>(cells_.size()); }
  const Cell& operator[](uint32_t cell) const { return cells_[cell]; }

  uint64_t bytes() const {
    return triggers_.capacity() * (sizeof(Trigger) + sizeof(Source)) + triggerOf_.capacity() * 4 +
           cells_.capacity() * sizeof(Cell);
  }

 private:
  void addTrigger(Literal p, uint32_t cell, uint32_t index, bool isWrite) {
    if (p >= triggerOf_.size()) triggerOf_.resize(p + 1, 0);
    triggers_.push_back({cell, index, isWrite, triggerOf_[p]});
    triggerOf_[p] = static_cast<uint32_t>(triggers_.size() - 1);
  }

  std::vector<Cell> cells_;
  std::vector<Trigger> triggers_{Trigger{}};
  std::vector<uint32_t> triggerOf_;  // by literal
  std::vector<uint32_t> stack_;      // places with an active source, in the order of the trail
};

}  // namespace heddle::sat
