// RangeLemma: bounds on what a location can hold, as implied constraints on its reads. With them the solver
// proves many facts about counters by propagation instead of search. A bound covers only the writes known
// now, so it holds under the guard of the location's reads.
//
// There are two bounds: one from all known writes, and one from the writes that happen in the execution in
// question. The second (increment-chain lemma: a read is at most the largest constant plus the increments
// that happen, and dually from below) refutes a combination of paths in which too few threads add
// something.
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
  /// Adds bounds from all writes to the reads that have none yet. Must be called after GrowthGuards::close.
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
