// RangeLemma: bounds of what a location can hold, as implied constraints on its reads. They turn many proofs
// about counters from search into propagation. A bound speaks about the writes known now, so it holds under
// the guard of the location's reads.
//
// Two bounds: from all writes that are known, and from those that happen in the execution asked for. The
// second (increment-chain lemma: a read is at most the largest constant plus the increments that happen, and
// dually from below) refutes a combination of paths in which too few threads add something.
//
// Threading: as the encoder that owns it.
#pragma once

#include <vector>

#include "analysis/explore/formula/read_encoder.h"
#include "analysis/explore/formula/value_range.h"

namespace heddle {

class RangeLemma : public EncoderPart {
 public:
  RangeLemma(FormulaBase& base, const ReadEncoder& reads) : EncoderPart(base), reads_(reads) {}

  /// Must be told of every write, in the order in which they are encoded.
  void note(NodeId write);
  /// Bounds the reads that have no bounds from all writes yet. After the growth of guards is closed.
  void update();

 private:
  struct Bounds {
    ValueRange range;
    size_t bounded = 0;  // readers that have the bounds of the current range
  };
  void noteCell(NodeId write, const NodeCell& cell);
  /// The increment-chain lemma, for readers from `first` on.
  void boundByIncrements(const ReadEncoder::Location& location, const ValueRange& range, size_t first,
                         bool up);

  const ReadEncoder& reads_;
  std::vector<Bounds> bounds_;  // by location
};

}  // namespace heddle
