// MergeEncoder: merges, where paths of a thread meet. A merge happens only if the thread takes one of the
// ways into it, and it comes after the events on that way.
//
// Threading: as the encoder that owns it.
#pragma once

#include <unordered_map>

#include "analysis/explore/formula/formula_base.h"

namespace heddle {

class MergeEncoder : public EncoderPart {
 public:
  explicit MergeEncoder(FormulaBase& base) : EncoderPart(base) {}

  void encode(NodeId id);
  /// Takes in the merge edges that the forest has gained; all its nodes must be encoded.
  void updateEdges();

 private:
  void encodeEdge(const Forest::MergeEdge& edge);

  std::unordered_map<ThreadId, uint32_t> groups_;
  std::unordered_map<NodeId, uint32_t> mergeGuards_;
  size_t edges_ = 0;  // number of the forest's merge edges that are encoded
};

}  // namespace heddle
