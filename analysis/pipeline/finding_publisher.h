// FindingPublisher: turns what an exploration reports into findings, each replayed before anyone sees it.
//
// Findings that only a weak memory model shows come first and are not changed: shrinking witnesses and
// explaining them by the formula assume sequential consistency. If a sequentially consistent execution
// shows a finding too, that execution is its witness, because it can be explained and repaired.
//
// Threading: as the pipeline.
#pragma once

#include <chrono>
#include <vector>

#include "analysis/detect/detector.h"
#include "analysis/diagnose/diagnosis.h"
#include "analysis/pipeline/pipeline.h"
#include "analysis/pipeline/replay_run.h"
#include "analysis/pipeline/weak_phase.h"

namespace heddle {

using Clock = std::chrono::steady_clock;

inline double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class FindingPublisher {
 public:
  /// All references must outlive it. `report` receives the findings.
  FindingPublisher(const Program& program, FunctionId entry, const Snapshot& snapshot, const Options& options,
                   const Budget& budget, const Observer& observer, Report& report, Clock::time_point started)
      : program_(program),
        entry_(entry),
        snapshot_(snapshot),
        options_(options),
        budget_(budget),
        observer_(observer),
        report_(report),
        started_(started) {}

  const Problem& problem() const { return problem_; }

  void failure(Runner& runner, const Witness& witness);
  void detection(Detection found);
  /// Must be called before any other finding is published.
  void weak(const WeakWitness& witness);
  bool hasWeak() const { return weak_ != 0; }

  void makeSmaller();
  /// Explains why each finding happens. It comes last, so no finding and no verdict waits for it.
  void explainAll(const ExploreOptions& exploreOptions, Runner& explored);

 private:
  void warn(Detection found);
  bool isKnown(const Finding& finding) const;
  /// Removes a finding of a weak memory model that is the same as this one.
  void takeWeakAway(const Finding& finding);
  /// True if the run, which was followed to its end, shows a finding like this one.
  bool shows(const ReplayRun& run, const DiagnosisSubject& subject, const Finding& finding) const;
  /// Publishes the finding only if its schedule replays to it, in a machine that knows nothing of this
  /// exploration.
  void publish(Finding finding, DiagnosisSubject subject);
  void noteFirst();
  /// Runs `work` on the findings that were not found under a weak memory model.
  template <class Work>
  void onOthers(Work work);

  const Program& program_;
  const FunctionId entry_;
  const Snapshot& snapshot_;
  const Options& options_;
  const Budget& budget_;
  const Observer& observer_;
  Report& report_;
  const Clock::time_point started_;
  size_t weak_ = 0;                         // number of findings under a weak memory model, which come first
  std::vector<DiagnosisSubject> subjects_;  // by finding, starting after these
  Problem problem_;
  bool isClosed_ = false;  // set while diagnosis runs, because its runs only repeat what is known
};

}  // namespace heddle
