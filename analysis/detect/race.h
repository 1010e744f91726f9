// Data races: two conflicting accesses of different threads, not both atomic, that are next to each other
// in a feasible execution. Each candidate pair is a query on the forest's Ψ ("both come next, neither has
// happened"). A satisfiable one is executed, and only executed ones are reported.
//
// Besides, the first pair of each run that happens-before does not order is executed at once
// (happens_before.h). Pairs that happens-before does not order but that never come next to each other,
// because the program keeps them apart by a racy flag, are races too. They are reported last.
//
// The solver is not asked about pairs that cannot race, because both hold one mutex or because create and
// join order them.
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
  /// If the two accesses never come next to each other: the location that alone orders them and is itself
  /// accessed in a race.
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
  /// Executes and reports the pairs that `merged` has kept. What cannot be shown this way is left to
  /// `check`.
  void beforeQuestions(const Budget& budget) override;
  bool check(const Budget& budget) override;
  bool decideByStates(const StateSearchResult& states, const Budget& budget) override;
  /// Called when all pairs that come next to each other are decided and reported. Executes and reports the
  /// other pairs that runs have shown to be unordered.
  void afterwards(const std::function<bool()>& isWhole, const Budget& budget) override;

 private:
  bool decideAll(const Budget& budget);
  /// Executes a schedule that should lead to a race, and reports the race. False if it does not lead to
  /// one.
  bool show(const RacySchedule& racy, const Budget& budget);
  void report(const Race& race);
  void showKeptApart(const Budget& budget);
  using Key = std::tuple<ObjectId, PlaceId, PlaceId>;
  Key keyOf(const UnorderedPair& pair) const;
  void noteKeptApart(const std::vector<UnorderedPair>& pairs);
  bool candidate(NodeId a, NodeId b) const;
  /// The access that happens in a model of `question`, because it lies in an atomic section or is a
  /// compare-exchange, which races only if it writes. kNone: both come next.
  NodeId happening(NodeId a, NodeId b) const;
  /// Literals that hold if and only if the two accesses race.
  std::vector<Lit> question(NodeId a, NodeId b);
  /// In the last run the thread left the event's atomic section, or ended the process in it; true also if
  /// the event lies in no section. Otherwise the section counts as not begun.
  bool isLeft(NodeId node) const;
  bool confirm(NodeId a, NodeId b, LocationId location, const Budget& budget);
  /// Asks for a race in which a write outside of atomic sections enables a section that accesses the same
  /// data. The two race if the section comes right after the write.
  Answer askRightBefore(NodeId a, NodeId b, const Key& key, const Budget& budget);
  /// Confirms the race in a run that follows `plan` and ends with `a`, the rest of its atomic section, and
  /// then `b`.
  bool confirmInOrder(const std::vector<NodeId>& plan, ModelInputs& inputs, NodeId a, NodeId b,
                      LocationId location, const Budget& budget);

  ForestStrategy& strategy_;
  std::function<void(const Race&)> report_;
  std::set<Key> found_;
  std::set<std::pair<PlaceId, PlaceId>> shown_;  // places of reported races, the smaller place first
  bool isDecided_ = false;
  std::vector<RacySchedule> observed_;
  /// Later unordered pairs of runs, each with a schedule that shows it.
  std::map<Key, Schedule> keptApart_;
  std::set<std::pair<PlaceId, PlaceId>> tried_;  // places of kept pairs that were tried
};

}  // namespace heddle
