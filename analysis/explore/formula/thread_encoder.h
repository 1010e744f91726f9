// ThreadEncoder: a thread's start needs a create and comes after it; a join needs the end of the joined
// thread and comes after it.
//
// Threading: as the encoder that owns it.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "analysis/explore/forest/precedence.h"
#include "analysis/explore/formula/section_encoder.h"

namespace heddle {

class ThreadEncoder : public EncoderPart {
 public:
  /// The encoder tells `precedence` of every create.
  ThreadEncoder(FormulaBase& base, SectionEncoder& sections, Precedence& precedence)
      : EncoderPart(base), sections_(sections), precedence_(precedence) {}

  void encodeStart(NodeId id);
  void encodeCreate(NodeId id);
  void encodeEnd(NodeId id);
  void encodeJoin(NodeId id);

  /// Create nodes of the thread.
  std::span<const NodeId> creates(ThreadId thread) const;
  /// End nodes of the thread that do not end the process.
  std::span<const NodeId> ends(ThreadId thread) const;

 private:
  struct ThreadState {
    std::vector<NodeId> creates, ends;
    std::vector<std::pair<NodeId, uint32_t>> joins;  // Join node and its guard
    uint32_t startGuard = kNone;
    uint32_t createGroup = kNone, endGroup = kNone;
  };
  void startByCreate(NodeId start, NodeId create);
  void addJoinEnd(NodeId join, uint32_t guard, NodeId end);
  ThreadState& thread(ThreadId id);

  SectionEncoder& sections_;
  Precedence& precedence_;
  std::vector<ThreadState> threads_;
};

}  // namespace heddle
