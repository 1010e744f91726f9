// Detector: what looks for one kind of failure that no single thread's run shows (a data race, a deadlock, a
// lost update). It watches the runs of an exploration, asks the forest's formula for what no run has shown,
// and reports only what was executed. A new one is a class of its own and a row in detectors.cpp.
//
// Failures that a run ends with (assertions, memory errors, misuse) need no detector: they are witnesses of
// the run.
//
// Threading: one thread, that of the exploration.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/detect/diagnosis_subject.h"
#include "analysis/explore/states/state_search.h"
#include "analysis/explore/strategies/forest_strategy.h"
#include "analysis/property.h"
#include "analysis/report.h"

namespace heddle {

class Detector {
 public:
  virtual ~Detector() = default;

  /// The last run of the runner became part of the forest.
  virtual void merged() {}
  /// A run ended with threads that wait for ever.
  virtual void stuck(const StuckRun&) {}
  /// Before the strategy asks its next question: executes what runs have shown already, which costs none.
  virtual void beforeQuestions(const Budget&) {}
  // Nothing counts as decided unless the detector says so.
  /// Asks for all candidates not decided yet. True if every one is decided with what the forest holds now.
  virtual bool check(const Budget&) { return false; }
  /// A search visited all joint states. True if that decides every candidate; what it shows is executed and
  /// reported.
  virtual bool decideByStates(const StateSearchResult&, const Budget&) { return false; }
  /// The exploration is over, and is not gone on with. `isWhole`: false once a run has taught that more is
  /// shared: then the forest begins again, and the formula does not.
  virtual void afterwards(const std::function<bool()>& /*isWhole*/, const Budget&) {}
};

/// Something that was executed.
struct Detection {
  Finding finding;
  DiagnosisSubject subject;
};

/// What a detector works with. All of it outlives the detector.
struct DetectorContext {
  const Program& program;
  ForestStrategy& strategy;
  std::string_view text;  // of the main file
  std::function<void(Detection)> report;
};

struct DetectorKind {
  std::span<const Property> properties;  // of its findings
  std::unique_ptr<Detector> (*make)(const DetectorContext&);

  bool isWanted(const std::set<Property>& wanted) const;
  /// No verdict depends on what it finds.
  bool isWarning() const;
};

/// All there are, in the order in which they are asked.
std::span<const DetectorKind> detectorKinds();

/// Its violations are found by a detector, so runs alone decide nothing.
bool needsDetector(Property property);

}  // namespace heddle
