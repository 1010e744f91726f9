// Detector: looks for one kind of failure that the run of a single thread cannot show (a data race, a
// deadlock, a lost update). It watches the runs of an exploration, asks the forest's formula for what no
// run has shown, and reports only what was executed. A new detector is its own class and a row in
// detectors.cpp.
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

  /// Called when the runner's last run has become part of the forest.
  virtual void merged() {}
  /// Called when a run has ended with threads that wait for ever.
  virtual void stuck(const StuckRun&) {}
  /// Called before the strategy asks its next question: executes candidates that runs have already shown,
  /// which needs no question.
  virtual void beforeQuestions(const Budget&) {}
  // Nothing counts as decided unless the detector says so.
  /// Asks about all candidates that are not decided yet. True if all are decided for the present forest.
  virtual bool check(const Budget&) { return false; }
  /// Called when a search has visited all joint states. Executes and reports what the search shows. True if
  /// that decides every candidate.
  virtual bool decideByStates(const StateSearchResult&, const Budget&) { return false; }
  /// Called when the exploration is over and does not go on. `isWhole`: false as soon as a run has shown
  /// that more objects are shared. The forest then begins again, but the formula does not.
  virtual void afterwards(const std::function<bool()>& /*isWhole*/, const Budget&) {}
};

/// A finding that was executed.
struct Detection {
  Finding finding;
  DiagnosisSubject subject;
};

/// What a detector works with. All references must outlive the detector.
struct DetectorContext {
  const Program& program;
  ForestStrategy& strategy;
  std::string_view text;  // of the main file
  std::function<void(Detection)> report;
};

struct DetectorKind {
  std::span<const Property> properties;  // the properties that its findings violate
  std::unique_ptr<Detector> (*make)(const DetectorContext&);

  bool isWanted(const std::set<Property>& wanted) const;
  /// No verdict depends on what it finds.
  bool isWarning() const;
};

/// All detectors, in the order in which they are called.
std::span<const DetectorKind> detectorKinds();

/// Only a detector finds violations of the property, so runs alone do not decide it.
bool needsDetector(Property property);

}  // namespace heddle
