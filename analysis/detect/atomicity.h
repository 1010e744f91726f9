// Lost updates: a thread reads a location, another thread writes there, and then the first thread writes a
// value that it computed from what it read. The other thread's write is lost, although each single access
// may be atomic or under a lock. That may be intended, so it is a warning, and no verdict depends on it.
//
// These are not lost updates: a write in the same critical or atomic section as its read, if the other
// write respects that section; a compare-exchange or another update, because it looks at the value that it
// replaces; a write after a second read of the location, because the thread may have checked that the value
// is still the same; a write that the read value triggers but does not determine.
//
// Candidates come from the terms of the forest's writes. Each is a question on the forest's Ψ (the three
// accesses happen in that order), and only executed ones are reported. An undecided candidate gives no
// warning.
//
// Threading: one thread, that of the exploration.
#pragma once

#include <functional>
#include <set>
#include <tuple>
#include <vector>

#include "analysis/detect/detector.h"

namespace heddle {

struct LostUpdate {
  NodeId read = kNone, between = kNone, write = kNone;
  LocationId location = kNone;
  Schedule schedule;  // ends with `write`
  std::vector<UsedInput> inputs;
  std::vector<TraceEntry> trace;
};

class AtomicityDetector : public Detector {
 public:
  /// `report` is called once for each pair of places of an object.
  AtomicityDetector(ForestStrategy& strategy, std::function<void(const LostUpdate&)> report)
      : strategy_(strategy), report_(std::move(report)) {}

  /// Asks about the known candidates that are not decided yet, until the budget ends.
  void afterwards(const std::function<bool()>& isWhole, const Budget& budget) override;

 private:
  void ask(const Budget& budget);
  using Key = std::tuple<ObjectId, PlaceId, PlaceId>;
  struct Pair {
    NodeId read = kNone, write = kNone;
    LocationId location = kNone;
  };
  std::vector<Pair> pairs() const;
  bool isLookedAtAgain(const Pair& pair) const;
  bool isExcluded(const Pair& pair, NodeId between) const;
  Key keyOf(const Pair& pair) const;
  bool confirm(const Pair& pair, NodeId between, const Budget& budget);

  ForestStrategy& strategy_;
  std::function<void(const LostUpdate&)> report_;
  std::set<Key> found_;
};

/// True if the execution contains a lost update with these places.
bool showsLostUpdate(const std::vector<TraceEntry>& trace, PlaceId read, PlaceId between, PlaceId write);

}  // namespace heddle
