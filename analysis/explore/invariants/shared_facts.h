// SharedFacts: what all steps of a program have shown of its memory: which objects are told apart into cells,
// and what is *contested*: touched by two threads that nothing keeps apart (docs/reduction.md). Facts only
// grow; when they do, the steps that were taken with fewer are void.
//
// Threading: belongs to one construction.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "analysis/explore/invariants/symbolic_state.h"

namespace heddle {

/// A memory cell, by address; an object as a whole; the acquisition of a mutex; or a condition variable.
using SharedResource = uint64_t;
inline SharedResource wholeOf(ObjectNumber object) {
  return uint64_t{1} << 63 | object;
}
inline SharedResource takingOf(uint64_t mutex) {
  return uint64_t{1} << 62 | mutex;
}
inline SharedResource conditionOf(uint64_t condition) {
  return uint64_t{3} << 62 | condition;
}

class SharedFacts {
 public:
  /// The thread comes to stand before a step that touches the resource.
  void record(SharedResource resource, const SymbolicState& state, ThreadId thread, bool changes);
  bool isContested(SharedResource resource) const { return contested_.contains(resource); }

  /// Two threads touch the resource, and one changes it.
  bool isShared(SharedResource resource) const;

  /// Only main writes the cell, and only before it creates a thread. The caller relies on the answer: if
  /// that changes, the facts count as grown.
  bool isSettled(uint64_t address) {
    relied_.insert(address);
    return !unsettled_.contains(address);
  }

  /// The object's bytes are not told apart: it is touched at offsets that are not known, or in parts.
  bool isWhole(ObjectNumber object) const { return whole_.contains(object); }
  void makeWhole(ObjectNumber object) { grew_ |= whole_.insert(object).second; }
  /// A whole object is written while there is more than one thread.
  bool isChanging(ObjectNumber object) const { return changing_.contains(object); }
  void makeChanging(ObjectNumber object) { grew_ |= changing_.insert(object).second; }
  /// Cells of variables that exist from the start, with their initial values.
  const std::map<uint64_t, SymbolicCell>& cells() const { return cells_; }
  void addCell(uint64_t address, const SymbolicCell& initial) {
    grew_ |= cells_.emplace(address, initial).second;
  }

  /// Since the last call.
  bool grew() { return std::exchange(grew_, false); }

 private:
  struct Record {
    ThreadId thread;
    bool changes;
    uint32_t joined, children;
    std::vector<uint64_t> held;
    auto operator<=>(const Record&) const = default;
  };
  bool keepApart(const Record& a, const Record& b) const;
  bool isOrdered(const Record& record, ThreadId other) const;

  std::map<SharedResource, std::set<Record>> records_;
  std::set<SharedResource> contested_;
  std::set<ObjectNumber> whole_, changing_;
  std::set<uint64_t> relied_, unsettled_;
  std::map<uint64_t, SymbolicCell> cells_;
  std::map<ThreadId, ThreadId> parents_;
  bool grew_ = false;
};

}  // namespace heddle
