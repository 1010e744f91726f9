// Clauses side by side in one block of words: cheap to allocate, close to each other, collected by copying.
//
// A ClauseRef stays valid until the next collection, which the owner drives (it knows where all references
// are).
//
// Threading: belongs to its solver.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/solver/sat/literal.h"

namespace heddle::sat {

using ClauseRef = uint32_t;  // index of the header word; below 2^31, so that a watch can use the top bit

/// Header of a clause; its literals follow it in the arena.
class Clause {
 public:
  uint32_t size() const { return sizeAndFlags_ >> 3; }
  bool learnt() const { return sizeAndFlags_ & 1; }
  bool deleted() const { return sizeAndFlags_ & 2; }
  void markDeleted() { sizeAndFlags_ |= 2; }
  bool moved() const { return sizeAndFlags_ & 4; }
  void moveTo(ClauseRef target) { sizeAndFlags_ |= 4, meta_ = target; }
  ClauseRef target() const { return meta_; }

  uint32_t lbd() const { return meta_ >> 2; }
  void setLbd(uint32_t lbd) { meta_ = lbd << 2 | (meta_ & 3); }
  /// How recently it took part in a conflict: set to 2 or 1, counted down by each reduction.
  uint32_t used() const { return meta_ & 3; }
  void setUsed(uint32_t used) { meta_ = (meta_ & ~3u) | used; }

  Literal* literals() { return reinterpret_cast<Literal*>(this + 1); }
  const Literal* literals() const { return reinterpret_cast<const Literal*>(this + 1); }
  Literal& operator[](uint32_t i) { return literals()[i]; }
  Literal* begin() { return literals(); }
  Literal* end() { return literals() + size(); }

 private:
  friend class ClauseArena;
  uint32_t sizeAndFlags_;
  uint32_t meta_;
};

class ClauseArena {
 public:
  static constexpr uint32_t kHeaderWords = sizeof(Clause) / sizeof(uint32_t);
  static constexpr size_t kMaxWords = size_t{1} << 31;

  bool hasRoomFor(size_t literals) const { return words_.size() + kHeaderWords + literals < kMaxWords; }

  ClauseRef allocate(std::span<const Literal> literals, bool learnt) {
    const ClauseRef ref = static_cast<ClauseRef>(words_.size());
    words_.push_back(static_cast<uint32_t>(literals.size()) << 3 | (learnt ? 1 : 0));
    words_.push_back(0);
    words_.insert(words_.end(), literals.begin(), literals.end());
    return ref;
  }

  Clause& operator[](ClauseRef ref) { return *reinterpret_cast<Clause*>(&words_[ref]); }

  void free(ClauseRef ref) {
    Clause& c = (*this)[ref];
    if (c.deleted()) return;
    c.markDeleted();
    wasted_ += kHeaderWords + c.size();
  }

  /// Copies a live clause to `target` unless that was done before; returns its new place.
  ClauseRef moveTo(ClauseArena& target, ClauseRef ref) {
    Clause& c = (*this)[ref];
    if (c.moved()) return c.target();
    const ClauseRef to = target.allocate({c.literals(), c.size()}, c.learnt());
    target[to].meta_ = c.meta_;
    c.moveTo(to);
    return to;
  }

  size_t size() const { return words_.size(); }
  size_t wasted() const { return wasted_; }
  size_t bytes() const { return words_.capacity() * sizeof(uint32_t); }
  void reserve(size_t words) { words_.reserve(words); }

 private:
  std::vector<uint32_t> words_;
  size_t wasted_ = 0;
};

}  // namespace heddle::sat
