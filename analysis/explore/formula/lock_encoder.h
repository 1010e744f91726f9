// LockEncoder: critical sections of one mutex do not overlap. Each acquisition has a virtual event for the
// end of its critical section, which comes after every unlock that may end it. A later acquisition by
// another thread comes after that event, and only if some unlock happens. A try-lock that finds the mutex
// held lies within a critical section of another thread.
//
// Threading: as the encoder that owns it.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "analysis/explore/forest/precedence.h"
#include "analysis/explore/formula/section_encoder.h"

namespace heddle {

class LockEncoder : public EncoderPart {
 public:
  LockEncoder(FormulaBase& base, SectionEncoder& sections, const Precedence& precedence)
      : EncoderPart(base), sections_(sections), precedence_(precedence) {}

  void encodeLock(NodeId id);
  void encodeUnlock(NodeId id);
  /// A try-lock that finds the mutex held.
  void encodeBusy(NodeId id);

  /// Where `letsGo` holds, the thread goes round in a loop that only waits, and its next round releases the
  /// mutex that `lock` acquired. The critical section then ends without an unlock on the path
  /// (docs/awaits.md, 5). Takes effect with GrowthGuards::close.
  void mayLetGo(NodeId lock, Lit letsGo);

  struct Acquisition {
    NodeId node = kNone;
    OrderNode release = 0;  // virtual event: the end of the critical section
    Lit released = 0;
    uint32_t guard = 0;
    std::vector<NodeId> unlocks;
  };
  std::span<const Acquisition> acquisitions(LocationId mutex) const;

 private:
  struct BusyTry {
    NodeId node = kNone;
    uint32_t guard = 0;
    std::vector<std::pair<NodeId, Lit>> holders;  // Lock node → its critical section contains the try-lock
  };
  struct Mutex {
    std::vector<Acquisition> acquisitions;
    std::vector<BusyTry> busy;
    uint32_t group = kNone;
  };
  void addHolder(BusyTry& busy, const Acquisition& acquisition);
  void excludeOverlap(const Acquisition& a, const Acquisition& b);

  SectionEncoder& sections_;
  const Precedence& precedence_;
  std::map<LocationId, Mutex> mutexes_;
};

}  // namespace heddle
