// VectorClock: how many events of each thread happen before a point, by the thread's number in a graph.
//
// Threading: plain data.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heddle {

class VectorClock {
 public:
  uint32_t of(uint32_t thread) const { return thread < counts_.size() ? counts_[thread] : 0; }
  void set(uint32_t thread, uint32_t count) {
    if (thread >= counts_.size()) counts_.resize(thread + 1, 0);
    counts_[thread] = count;
  }
  void join(const VectorClock& other) {
    if (counts_.size() < other.counts_.size()) counts_.resize(other.counts_.size(), 0);
    for (size_t i = 0; i < other.counts_.size(); ++i) counts_[i] = std::max(counts_[i], other.counts_[i]);
  }

 private:
  std::vector<uint32_t> counts_;
};

}  // namespace heddle
