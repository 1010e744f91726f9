// ConditionEncoder: condition variables. A Wake happens only if, between its Wait and the Wake, there is a
// Broadcast, or a Signal that wakes this thread and no other.
//
// Threading: as the encoder that owns it.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "analysis/explore/formula/section_encoder.h"

namespace heddle {

class ConditionEncoder : public EncoderPart {
 public:
  ConditionEncoder(FormulaBase& base, SectionEncoder& sections) : EncoderPart(base), sections_(sections) {}

  /// Encodes a Signal or a Broadcast.
  void encodeSignal(NodeId id);
  void encodeWake(NodeId id);

  struct Waker {
    NodeId node = kNone;  // Wake
    uint32_t guard = 0;
    std::vector<std::pair<NodeId, Lit>> chosen;  // Signal or Broadcast → it wakes this one
  };
  /// Signals and broadcasts of the condition variable.
  std::span<const NodeId> signals(LocationId location) const;
  std::span<const Waker> wakers(LocationId location) const;

 private:
  struct Condition {
    std::vector<NodeId> signals;
    std::vector<Waker> wakers;
    uint32_t group = kNone;
  };
  /// The condition variable of the node; makes its group of guards if needed.
  Condition& conditionOf(NodeId id);
  void addWake(Waker& waker, NodeId signal);

  SectionEncoder& sections_;
  std::map<LocationId, Condition> conditions_;
};

}  // namespace heddle
