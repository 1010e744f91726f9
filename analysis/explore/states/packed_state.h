// Packed states: joint states in a few bytes, while they wait to be expanded. A breadth-first search keeps
// hundreds of thousands of them and touches each twice, so their size decides how fast it is.
//
// Threading: pure functions. A PackedStates belongs to one thread; others may read its content while it
// does not change.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "analysis/explore/states/joint_state.h"

namespace heddle {

/// Appends the state to `out`.
void pack(const JointState& state, std::vector<uint8_t>& out);
/// Replaces `out` with the state that pack() wrote; the memory of `out` is reused.
void unpack(std::span<const uint8_t> bytes, JointState& out);

/// States with their numbers, first in, first out.
class PackedStates {
 public:
  struct Entry {
    uint32_t number = 0;
    ThreadId threads = 0;  // number of threads
    std::span<const uint8_t> bytes;
  };

  size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  /// The entry and its bytes stay valid until it is popped.
  const Entry& operator[](size_t i) const { return entries_[i]; }
  const Entry& front() const { return entries_.front(); }
  void push(uint32_t number, ThreadId threads, std::span<const uint8_t> bytes);
  void pop();
  void clear();

 private:
  struct Block {
    std::unique_ptr<uint8_t[]> bytes;
    size_t size = 0, used = 0;
    size_t waiting = 0;  // entries in it
  };

  std::deque<Entry> entries_;
  std::deque<Block> blocks_;  // in the order of their entries; only the last one grows
};

}  // namespace heddle
