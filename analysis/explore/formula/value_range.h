// ValueRange: bounds on the values of one location, where every write is a constant or adds a constant to
// what was read from the same location before.
//
// The value of a read is then a constant that was written (or the initial value) plus the constants of some
// of the writes that happened since, each at most once. So it is at most the largest constant plus all
// positive constants, and at least the smallest plus all negative ones; of the exclusive paths of one thread,
// the one with the largest sum counts (for each segment between merges, which a path passes at most once).
// Counting only the writes that happen gives a sharper bound (RangeLemma::boundByIncrements).
//
// Threading: as the encoder that owns it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "analysis/explore/forest/forest.h"

namespace heddle {

class ValueRange {
 public:
  void constant(int64_t value) {
    lowest_ = any_ ? std::min(lowest_, value) : value;
    highest_ = any_ ? std::max(highest_, value) : value;
    any_ = true;
  }
  /// The write `node` of `segment` adds `by`; `previous` is the thread's write before it in the segment, or
  /// kNone.
  void add(NodeId node, NodeId segment, NodeId previous, int64_t by) {
    const auto before = sums_.find(previous);
    Sums sums = before == sums_.end() ? Sums{} : before->second;
    sums.up += std::max<int64_t>(by, 0);
    sums.down += std::min<int64_t>(by, 0);
    sums_[node] = sums;
    if (by != 0) increments_.emplace_back(node, by);
    Sums& most = perSegment_[segment];
    most.up = std::max(most.up, sums.up);
    most.down = std::min(most.down, sums.down);
  }
  /// Some write is of neither kind, so nothing is known about the values.
  void unknown() { known_ = false; }
  bool known() const { return known_; }

  /// The writes that add something, in the order in which they came.
  const std::vector<std::pair<NodeId, int64_t>>& increments() const { return increments_; }
  /// The smallest and the largest constant.
  int64_t lowest() const { return lowest_; }
  int64_t highest() const { return highest_; }

  /// Sets the bounds, both inclusive, as signed numbers of `width` bits. False: there are no bounds,
  /// because the sums may wrap or the values are not known.
  bool bounds(unsigned width, int64_t& lower, int64_t& upper) const {
    if (!known_ || !any_ || width < 8) return false;
    __int128 low = lowest_, high = highest_;
    for (const auto& [segment, sums] : perSegment_) {
      low += sums.down;
      high += sums.up;
    }
    const __int128 limit = static_cast<__int128>(1) << (width - 1);
    if (low < -limit || high >= limit) return false;
    lower = static_cast<int64_t>(low);
    upper = static_cast<int64_t>(high);
    return true;
  }

 private:
  struct Sums {
    int64_t up = 0, down = 0;
  };
  bool known_ = true, any_ = false;
  int64_t lowest_ = 0, highest_ = 0;
  std::vector<std::pair<NodeId, int64_t>> increments_;
  std::map<NodeId, Sums> sums_;        // along the path to a write
  std::map<NodeId, Sums> perSegment_;  // largest over its paths
};

}  // namespace heddle
