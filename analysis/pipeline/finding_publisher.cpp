#include "analysis/pipeline/finding_publisher.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "analysis/detect/failure_finding.h"
#include "analysis/pipeline/smaller_witness.h"
#include "analysis/pipeline/unknown_calls.h"

namespace heddle {

static bool hasFinding(std::span<const Finding> known, const Finding& finding) {
  return std::any_of(known.begin(), known.end(),
                     [&](const Finding& f) { return f.id == finding.id && f.place == finding.place; });
}

void FindingPublisher::failure(Runner& runner, const Witness& witness) {
  if (!options_.properties.count(propertyOf(witness.failure.kind))) return;
  Finding finding = describeFailure(program_, runner.names(), witness, snapshot_.text);
  publish(std::move(finding), DiagnosisSubject::of(witness));
}

void FindingPublisher::detection(Detection found) {
  if (!options_.properties.count(found.finding.kind)) return;
  if (infoOf(found.finding.kind).isWarning)
    warn(std::move(found));
  else
    publish(std::move(found.finding), std::move(found.subject));
}

void FindingPublisher::weak(const WeakWitness& witness) {
  std::optional<Finding> finding =
      describeWeakly(program_, entry_, witness, snapshot_.text, budget_, problem_);
  if (!finding || !options_.properties.count(finding->kind) || hasFinding(report_.findings, *finding)) return;
  const ReplayRun again = replayRun(program_, entry_, witness.schedule, budget_);
  const auto shows = [&](const ReplayRun& run) {
    return run.divergence.empty() && showsWeakly(run, witness);
  };
  if (!shows(again)) return;  // out of time
  nameUnknownCalls(program_, entry_, again, witness.schedule, budget_, shows, *finding);
  if (finding->possible) {
    if (!hasFinding(report_.warnings, *finding)) report_.warnings.push_back(std::move(*finding));
    return;
  }
  noteFirst();
  observer_.finding(*finding);
  report_.findings.push_back(std::move(*finding));
  weak_ = report_.findings.size();
}

void FindingPublisher::noteFirst() {
  if (report_.stats.firstFindingSeconds < 0) report_.stats.firstFindingSeconds = secondsSince(started_);
}

bool FindingPublisher::isKnown(const Finding& finding) const {
  const std::span<const Finding> others = std::span(report_.findings).subspan(weak_);
  return hasFinding(others, finding) || hasFinding(report_.warnings, finding);
}

void FindingPublisher::takeWeakAway(const Finding& finding) {
  const auto end = report_.findings.begin() + static_cast<std::ptrdiff_t>(weak_);
  const auto kept = std::remove_if(report_.findings.begin(), end, [&](const Finding& weak) {
    return weak.kind == finding.kind &&
           (weak.place == finding.place ||
            std::any_of(weak.related.begin(), weak.related.end(),
                        [&](const RelatedPlace& related) { return related.place == finding.place; }));
  });
  weak_ -= static_cast<size_t>(end - kept);
  report_.findings.erase(kept, end);
}

/// A warning, unless the accesses race: then the race says it.
void FindingPublisher::warn(Detection found) {
  Finding& warning = found.finding;
  const auto isAmong = [&](const SourcePlace& place) {
    return std::any_of(warning.related.begin(), warning.related.end(),
                       [&](const RelatedPlace& related) { return related.place == place; });
  };
  const auto isSame = [&](const Finding& f) {
    return isRace(f) && std::any_of(f.related.begin(), f.related.end(),
                                    [&](const RelatedPlace& related) { return isAmong(related.place); });
  };
  const bool isSaid = std::any_of(report_.findings.begin(), report_.findings.end(), isSame) ||
                      hasFinding(report_.warnings, warning);
  if (isClosed_ || isSaid) return;
  const ReplayRun again = replayRun(program_, entry_, found.subject.schedule, budget_);
  if (shows(again, found.subject, warning)) report_.warnings.push_back(std::move(warning));
}

template <class Work>
void FindingPublisher::onOthers(Work work) {
  std::vector<Finding> others(
      std::make_move_iterator(report_.findings.begin() + static_cast<std::ptrdiff_t>(weak_)),
      std::make_move_iterator(report_.findings.end()));
  work(others);
  report_.findings.resize(weak_);
  std::move(others.begin(), others.end(), std::back_inserter(report_.findings));
}

void FindingPublisher::makeSmaller() {
  onOthers([&](std::vector<Finding>& findings) {
    heddle::makeSmaller(program_, entry_, snapshot_.text, budget_, subjects_, findings);
  });
}

void FindingPublisher::explainAll(const ExploreOptions& exploreOptions, Runner& explored) {
  isClosed_ = true;
  DiagnosisOptions options;
  options.solver = exploreOptions.solver;
  const bool reuse = exploreOptions.mergePaths && !exploreOptions.journal && isDiagnosable(explored);
  onOthers([&](std::vector<Finding>& findings) {
    diagnoseAll(program_, reuse ? &explored : nullptr, exploreOptions, options_.everyAccessIsEvent, subjects_,
                options, budget_, findings);
  });
}

bool FindingPublisher::shows(const ReplayRun& run, const DiagnosisSubject& subject,
                             const Finding& finding) const {
  if (subject.kind == DiagnosisSubject::Kind::Other)
    return run.divergence.empty() && subject.isShownBy(run.result.trace);
  const std::vector<Finding> seen = findingsOf(program_, run, snapshot_.text, true);
  const auto isNear = [](const Finding& a, const Finding& b) {
    return a.place == b.place || std::any_of(a.related.begin(), a.related.end(),
                                             [&](const RelatedPlace& r) { return r.place == b.place; });
  };
  return std::any_of(seen.begin(), seen.end(), [&](const Finding& f) {
    return f.kind == finding.kind && (isNear(finding, f) || isNear(f, finding));
  });
}

void FindingPublisher::publish(Finding finding, DiagnosisSubject subject) {
  if (isClosed_ || isKnown(finding)) return;
  const ReplayRun again = replayRun(program_, entry_, subject.schedule, budget_);
  const auto showsIt = [&](const ReplayRun& run) { return shows(run, subject, finding); };
  if (!showsIt(again)) {
    if (budget_.check() == StopReason::None)
      problem_ = {ProblemKind::Ours, "the schedule of '" + finding.message +
                                         "' did not replay: " + subject.schedule.toString() +
                                         (again.divergence.empty() ? "" : ": " + again.divergence)};
    return;
  }
  noteFirst();
  nameUnknownCalls(program_, entry_, again, subject.schedule, budget_, showsIt, finding);
  if (finding.possible) {
    report_.warnings.push_back(std::move(finding));
    return;
  }
  takeWeakAway(finding);
  report_.findings.push_back(finding);
  subjects_.push_back(std::move(subject));
  observer_.finding(finding);
}

}  // namespace heddle
