// FindingPublisher: turns what an exploration reports into findings, each replayed before anyone sees it.
//
// What only a weak memory model shows comes first and stays as it is: making witnesses smaller and explaining
// them by the formula assume sequential consistency. What sequentially consistent executions show as well is
// told by one of them, which can be explained and mended.
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
  /// All must outlive it; `report` takes the findings.
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
  /// Only before any other finding.
  void weak(const WeakWitness& witness);
  bool hasWeak() const { return weak_ != 0; }

  void makeSmaller();
  /// Why each finding happens. Comes last: no finding and no verdict waits for it.
  void explainAll(const ExploreOptions& exploreOptions, Runner& explored);

 private:
  void warn(Detection found);
  bool isKnown(const Finding& finding) const;
  /// Takes away what was found under a weak memory model and is the same.
  void takeWeakAway(const Finding& finding);
  /// The run, which is followed to its end, shows a finding like this one.
  bool shows(const ReplayRun& run, const DiagnosisSubject& subject, const Finding& finding) const;
  /// No finding without a schedule that replays to it, in a machine that knows nothing of this exploration.
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
  size_t weak_ = 0;                         // the first findings, found under a weak memory model
  std::vector<DiagnosisSubject> subjects_;  // by finding, behind these
  Problem problem_;
  bool isClosed_ = false;  // runs of the diagnosis only repeat what is known
};

}  // namespace heddle
