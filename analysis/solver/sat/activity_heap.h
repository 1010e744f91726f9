// The decision queue: unassigned variables, most active first (a binary heap with positions).
//
// Activities decay by growing the increment; everything is rescaled before numbers get too large.
//
// Threading: belongs to its solver.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/solver/sat/literal.h"

namespace heddle::sat {

class ActivityHeap {
 public:
  void grow(Var v) {
    if (v >= activity_.size()) {
      activity_.resize(v + 1, 0.0);
      position_.resize(v + 1, kAbsent);
    }
  }

  bool empty() const { return heap_.empty(); }
  bool contains(Var v) const { return position_[v] != kAbsent; }
  double activity(Var v) const { return activity_[v]; }
  Var top() const { return heap_[0]; }

  void insert(Var v) {
    if (contains(v)) return;
    position_[v] = static_cast<uint32_t>(heap_.size());
    heap_.push_back(v);
    up(position_[v]);
  }

  Var pop() {
    const Var v = heap_[0];
    const Var last = heap_.back();
    heap_.pop_back();
    position_[v] = kAbsent;
    if (!heap_.empty()) {
      heap_[0] = last;
      position_[last] = 0;
      down(0);
    }
    return v;
  }

  void bump(Var v) {
    if ((activity_[v] += increment_) > 1e100) rescale();
    if (contains(v)) up(position_[v]);
  }
  void decay(double factor) { increment_ /= factor; }

  size_t bytes() const { return activity_.capacity() * 12 + heap_.capacity() * 4; }

 private:
  static constexpr uint32_t kAbsent = ~0u;

  bool less(Var a, Var b) const { return activity_[a] > activity_[b]; }

  void rescale() {
    for (double& a : activity_) a *= 1e-100;
    increment_ *= 1e-100;
  }

  void up(uint32_t i) {
    const Var v = heap_[i];
    while (i > 0) {
      const uint32_t parent = (i - 1) / 2;
      if (!less(v, heap_[parent])) break;
      heap_[i] = heap_[parent];
      position_[heap_[i]] = i;
      i = parent;
    }
    heap_[i] = v;
    position_[v] = i;
  }

  void down(uint32_t i) {
    const Var v = heap_[i];
    const uint32_t n = static_cast<uint32_t>(heap_.size());
    for (;;) {
      uint32_t child = 2 * i + 1;
      if (child >= n) break;
      if (child + 1 < n && less(heap_[child + 1], heap_[child])) ++child;
      if (!less(heap_[child], v)) break;
      heap_[i] = heap_[child];
      position_[heap_[i]] = i;
      i = child;
    }
    heap_[i] = v;
    position_[v] = i;
  }

  std::vector<double> activity_;
  std::vector<uint32_t> position_;
  std::vector<Var> heap_;
  double increment_ = 1.0;
};

}  // namespace heddle::sat
