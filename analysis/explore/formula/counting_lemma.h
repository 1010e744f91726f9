// CountingLemma: a lemma for locations to which every write adds something, in one step that no other write
// can divide (an atomic update, or a read and a write in one atomic section or in one critical section of
// one mutex). A read then finds the initial value plus everything that earlier writes have added, in any
// order. For reads whose place among the writes is certain (above all those after the joins) the lemma
// replaces a proof over all interleavings. If all writes add the same constant, it is enough to count the
// writes that happen; otherwise the value is one sum.
//
// What a write adds may depend on anything, even on the location itself: it is a term, and the sum is over
// the values that these terms have in one execution.
//
// Threading: as the encoder that owns it.
#pragma once

#include <span>
#include <vector>

#include "analysis/explore/formula/read_encoder.h"

namespace heddle {

class CountingLemma : public EncoderPart {
 public:
  CountingLemma(FormulaBase& base, const ReadEncoder& reads, const Precedence& precedence)
      : EncoderPart(base), reads_(reads), precedence_(precedence) {}

  /// Must be told of every write, in the order in which they are encoded.
  void note(NodeId write);
  /// Adds to the formula what reads find, for the reads that are new. Must be called after
  /// GrowthGuards::close.
  void update();

  struct Sum {
    Lit lit = 0;  // the read has that value
    Term value = kNoTerm;
  };
  /// The sums that the read may find, each under the condition that all the writes before it happen.
  std::span<const Sum> sums(const ReadEncoder::ReadCell& read) const;

 private:
  struct Addend {
    Term term = kNoTerm;
    bool minus = false;
  };
  /// A write of the old value plus the addends.
  struct Addition {
    NodeId write = kNone;
    std::vector<Addend> added;
  };
  /// What is known of one reader.
  struct Count {
    Lit holds = 0;               // the reader finds what the writes before it have added,
    std::vector<Lit> uncertain;  // unless one of these writes happens
    std::vector<Sum> sums;
  };
  /// What is known of one location.
  struct Counting {
    bool possible = true;
    bool allAtomic = true;
    bool sameConstant = false;  // each write adds `by`
    uint64_t by = 0;
    std::vector<LocationId> mutexes;  // mutexes that are held at every write
    std::vector<Addition> writes;
    std::vector<Count> counts;  // by reader
    size_t encoded = 0;         // readers that have been looked at since the last write came
    uint32_t version = 0;       // version of the group of reads at that time
  };
  void noteCell(NodeId write, const NodeCell& cell);
  /// Whether `value` is a read of the location and something added; the last addend comes first.
  bool addsTo(LocationId location, Term value, std::vector<Addend>& added, NodeId& read) const;
  void countBefore(const Counting& counting, const ReadEncoder::Reader& reader, Count& count, Term initial);
  /// `before`: the writes that may contribute to what the reader finds.
  void addCount(uint64_t by, const ReadEncoder::Reader& reader, Count& count,
                const std::vector<const Addition*>& before, Term initial);
  void addSum(const ReadEncoder::Reader& reader, Count& count, std::vector<const Addition*> before,
              Term initial);

  const ReadEncoder& reads_;
  const Precedence& precedence_;
  std::vector<Counting> counted_;  // by location
};

}  // namespace heddle
