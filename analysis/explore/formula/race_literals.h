// RaceLiterals: literals for questions about two or three accesses: what must hold for two accesses to be
// unordered, or for one to come between two others. They cover only what is known now.
//
// Threading: as the encoder that owns what it refers to.
#pragma once

#include <vector>

#include "analysis/explore/formula/section_encoder.h"

namespace heddle {

class RaceLiterals : public EncoderPart {
 public:
  RaceLiterals(FormulaBase& base, SectionEncoder& sections) : EncoderPart(base), sections_(sections) {}

  /// Data race: both accesses come next in their threads and neither has happened.
  std::vector<Lit> bothNext(NodeId a, NodeId b);
  /// The same for an event `last` in an atomic section, or a compare-exchange, where the outcome matters:
  /// it happens and writes, it or its section comes last, its thread leaves the section, and `other` could
  /// have come right before it.
  std::vector<Lit> nextBesideLast(NodeId last, NodeId other);
  /// The same for an event in an atomic section and an event outside that happens right before the section,
  /// because the section may depend on it.
  std::vector<Lit> rightBefore(NodeId inside, NodeId other);
  /// The same for an event in an atomic section and a compare-exchange outside that comes right after the
  /// section.
  std::vector<Lit> rightAfter(NodeId inside, NodeId exchange);
  /// All three happen, in this order; `between` is another thread's, and writes.
  std::vector<Lit> inOrder(NodeId first, NodeId between, NodeId last);

 private:
  /// `id`, or the section that it lies in, comes after everything that happens in other threads, except the
  /// event `except`.
  Lit comesLast(NodeId id, NodeId except);
  /// The thread leaves the atomic section of the event, or ends the process in it.
  Lit leftOrEnds(NodeId event);
  /// A compare-exchange finds what it expects.
  Lit writes(NodeId update);

  SectionEncoder& sections_;
};

}  // namespace heddle
