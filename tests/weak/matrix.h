// Relations over the events of an execution, for the enumerator.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::weak {

/// A relation over at most 64 events, a row of bits for each.
class Matrix {
 public:
  explicit Matrix(size_t n) : rows_(n, 0) { assert(n <= 64); }
  struct Row {
    uint64_t bits;
    bool operator[](size_t at) const { return (bits >> at & 1) != 0; }
  };
  Row operator[](size_t at) const { return {rows_[at]}; }
  void set(size_t a, size_t b, bool value = true) {
    const uint64_t bit = uint64_t{1} << b;
    rows_[a] = value ? rows_[a] | bit : rows_[a] & ~bit;
  }
  void unite(size_t a, uint64_t bits) { rows_[a] |= bits; }
  size_t size() const { return rows_.size(); }

 private:
  std::vector<uint64_t> rows_;
};

inline Matrix none(size_t n) {
  return Matrix(n);
}
inline Matrix both(const Matrix& a, const Matrix& b) {
  Matrix out = a;
  for (size_t i = 0; i < a.size(); ++i) out.unite(i, b[i].bits);
  return out;
}
inline Matrix then(const Matrix& a, const Matrix& b) {
  Matrix out = none(a.size());
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t k = 0; k < a.size(); ++k)
      if (a[i][k]) out.unite(i, b[k].bits);
  return out;
}
inline Matrix closed(Matrix a) {
  for (size_t k = 0; k < a.size(); ++k)
    for (size_t i = 0; i < a.size(); ++i)
      if (a[i][k]) a.unite(i, a[k].bits);
  return a;
}
inline Matrix reflexive(Matrix a) {
  for (size_t i = 0; i < a.size(); ++i) a.set(i, i);
  return a;
}
inline Matrix inverse(const Matrix& a) {
  Matrix out = none(a.size());
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < a.size(); ++j) out.set(j, i, a[i][j]);
  return out;
}
inline bool isIrreflexive(const Matrix& a) {
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i][i]) return false;
  return true;
}
inline bool isAcyclic(const Matrix& a) {
  return isIrreflexive(closed(a));
}

}  // namespace heddle::weak
