// InputRounds: what a thread may do from the head of a loop whose rounds take inputs, as far as it comes back
// to the head (docs/awaits.md, 6).
//
// Threading: a value; made from a forest that does not change meanwhile.
#pragma once

#include <set>
#include <vector>

#include "analysis/explore/forest/forest.h"

namespace heddle {

struct InputRounds {
  ThreadId thread = kNone;
  /// The rounds begin at the continuation of (head, headSlot), which is `start`.
  NodeId head = kNone;
  uint64_t headSlot = 0;
  NodeId start = kNone;
  /// The nodes from which a way leads back to the head.
  std::set<NodeId> nodes;
  /// The continuation of (from, slot) is `to`, one of `nodes`. kNone: an exit, behind which the thread leaves
  /// the loop, does something that others can tell, fails, or is cut off by a bound or an assumption.
  struct Way {
    NodeId from = kNone;
    uint64_t slot = 0;
    NodeId to = kNone;
    bool isCut = false;  // by a bound or an assumption
  };
  std::vector<Way> ways;
  /// Symbols of the inputs in these nodes: they have other values in the next round.
  std::set<Term> inputs;
  /// Whoever stands at the head has none of these events.
  std::vector<NodeId> firstEvents;
  /// Those of `nodes` that read what others may write, or find a mutex busy.
  std::vector<NodeId> reads;
};

/// One for each head of which the forest has a round that takes inputs. Left out are heads whose rounds give
/// up a mutex that the thread holds there.
std::vector<InputRounds> inputRounds(const Forest& forest);

}  // namespace heddle
