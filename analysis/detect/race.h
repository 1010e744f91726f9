// Data races: two conflicting accesses of different threads, not both atomic, that are next to each other in
// a feasible execution. Each candidate pair is a query on the forest's Ψ ("both come next, neither has
// happened"); a satisfiable one is executed, and only what was executed is reported.
//
// Besides, the first pair of each run that happens-before does not order is executed at once
// (happens_before.h). Pairs that happens-before does not order, but that never come next to each other,
// because the program keeps them apart by a racy flag, are races too, and reported last.
//
// Pairs that cannot race are not asked for: a mutex that both hold, or an order that create and join give.
//
// Threading: one thread, that of the exploration.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "analysis/detect/detector.h"
#include "analysis/detect/happens_before.h"

namespace heddle {

struct Race {
  NodeId first = kNone, second = kNone;
  LocationId location = kNone;
  Schedule schedule;  // ends with the two accesses
  std::vector<UsedInput> inputs;
  std::vector<TraceEntry> trace;
  /// Where the two never come next to each other: what is accessed in a race itself, and alone orders them.
  LocationId flag = kNone;
  bool flagIsVolatile = false;
};

class RaceDetector : public Detector {
 public:
  /// `report` is called once for each pair of places.
  RaceDetector(ForestStrategy& strategy, std::function<void(const Race&)> report)
      : strategy_(strategy), report_(std::move(report)) {}

  /// If happens-before leaves two conflicting accesses of the run without an order, the first such pair is
  /// kept for `beforeQuestions`.
  void merged() override;
  /// Executes and reports what was observed. What cannot be shown so is left to `check`.
  void beforeQuestions(const Budget& budget) override;
  bool check(const Budget& budget) override;
  bool decideByStates(const StateSearchResult& states, const Budget& budget) override;
  /// Once all pairs that come next to each other are decided and were reported: executes and reports those
  /// that runs have shown to be unordered all the same.
  void afterwards(const std::function<bool()>& isWhole, const Budget& budget) override;

 private:
  bool decideAll(const Budget& budget);
  /// Executes a schedule that leads to a race, and reports it. False when it does not.
  bool show(const RacySchedule& racy, const Budget& budget);
  void report(const Race& race);
  void showKeptApart(const Budget& budget);
  using Key = std::tuple<ObjectId, PlaceId, PlaceId>;
  Key keyOf(const UnorderedPair& pair) const;
  void noteKeptApart(const std::vector<UnorderedPair>& pairs);
  bool candidate(NodeId a, NodeId b) const;
  /// The one that happens in a model of `question`: it lies in an atomic section, or is a compare-exchange,
  /// which races only where it writes. kNone: both come next.
  NodeId happening(NodeId a, NodeId b) const;
  /// What holds exactly if the two race.
  std::vector<Lit> question(NodeId a, NodeId b);
  /// In the last run the thread left the atomic section of the event, if it lies in one, or ended the process
  /// in it: otherwise the section counts as not begun.
  bool isLeft(NodeId node) const;
  bool confirm(NodeId a, NodeId b, LocationId location, const Budget& budget);
  /// An access outside of atomic sections lets a section pass that accesses the same: then they race, too,
  /// one right after the other.
  Answer askRightBefore(NodeId a, NodeId b, const Key& key, const Budget& budget);
  /// In a run that follows `plan` and ends with `a`, with the rest of its atomic section, and then `b`.
  bool confirmInOrder(const std::vector<NodeId>& plan, ModelInputs& inputs, NodeId a, NodeId b,
                      LocationId location, const Budget& budget);

  ForestStrategy& strategy_;
  std::function<void(const Race&)> report_;
  std::set<Key> found_;
  std::set<std::pair<PlaceId, PlaceId>> shown_;  // places of races that were reported, ordered
  bool isDecided_ = false;
  std::vector<RacySchedule> observed_;
  /// Later pairs of runs, with a run that shows them.
  std::map<Key, Schedule> keptApart_;
  std::set<std::pair<PlaceId, PlaceId>> tried_;  // of what was observed
};

}  // namespace heddle
