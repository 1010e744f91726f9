// Lost updates: a thread reads a location, another thread writes there, and then the first one writes what it
// has computed from the value that it read. The other's write is lost, although each access for itself may be
// atomic or under a lock. It may be meant, so it is a warning, and no verdict depends on it.
//
// None are: a write in the same critical or atomic section as its read, as far as the other write keeps to
// it; a compare-exchange and other updates, which look at what they replace; a write behind a second read of
// the location, which may have asked whether it is still the same; a value that was read decides only whether
// something is written, not what.
//
// Candidates come from the terms of the forest's writes; each is a question on the forest's Ψ (the three
// accesses happen in that order), and only what was executed is reported. What is left undecided is no
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

  /// Asks about the candidates that are known and not decided yet, as far as the budget goes.
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

/// The execution contains such a thing with these places.
bool showsLostUpdate(const std::vector<TraceEntry>& trace, PlaceId read, PlaceId between, PlaceId write);

}  // namespace heddle
