// Reachability: the transitive closure of a graph that grows by single edges (Italiano 1986, without
// deletion). A new edge adds the row of its end to the rows of all nodes that reach its begin.
//
// Threading: a value type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

class Reachability {
 public:
  /// A graph of `size` nodes, 0 to size - 1, without edges.
  explicit Reachability(size_t size)
      : size_(size), words_((size + kBits - 1) / kBits), rows_(size * words_, 0) {}

  /// Some path of at least one edge leads from `from` to `to`.
  bool leads(size_t from, size_t to) const { return rows_[from * words_ + to / kBits] >> (to % kBits) & 1; }

  void add(size_t from, size_t to) {
    if (leads(from, to)) return;
    for (size_t node = 0; node < size_; ++node)
      if (node == from || leads(node, from)) unite(node, to);
  }

  bool isCyclic() const {
    for (size_t node = 0; node < size_; ++node)
      if (leads(node, node)) return true;
    return false;
  }

 private:
  static constexpr size_t kBits = 64;

  void unite(size_t node, size_t to) {
    uint64_t* const row = &rows_[node * words_];
    const uint64_t* const more = &rows_[to * words_];
    for (size_t word = 0; word < words_; ++word) row[word] |= more[word];
    row[to / kBits] |= uint64_t{1} << (to % kBits);
  }

  size_t size_, words_;
  std::vector<uint64_t> rows_;
};

}  // namespace heddle
