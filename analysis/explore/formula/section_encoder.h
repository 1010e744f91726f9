// SectionEncoder: atomic sections, and the order of events, which depends on them.
//
// The events of an atomic section share one place in the order, so nothing can come between them. A thread
// may stop in the middle of a section, but then no event of another thread comes after the section, and no
// other thread stops in the middle of one.
//
// Threading: as the encoder that owns it.
#pragma once

#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/explore/formula/formula_base.h"

namespace heddle {

class SectionEncoder : public EncoderPart {
 public:
  explicit SectionEncoder(FormulaBase& base) : EncoderPart(base) {}

  /// `first` is the first event of a section.
  void encode(NodeId first);
  void encodeEnd(NodeId id);

  /// True unless the event lies in a section that its thread does not leave.
  Lit done(NodeId event) const;
  /// The literal for "a before b", events of different threads.
  Lit before(NodeId a, NodeId b);

 private:
  struct Section {
    Lit done = 0;  // the thread has left it
    uint32_t guard = 0;
  };
  struct Sections {  // of a thread
    uint32_t group = kNone;
    Lit inside = 0;  // stopped in the middle of one
  };

  std::unordered_map<NodeId, Section> sections_;  // by first event
  std::vector<Sections> threads_;
  std::set<std::pair<NodeId, NodeId>> orders_;  // pairs for which `before` has encoded what sections mean
};

}  // namespace heddle
