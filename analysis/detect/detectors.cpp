#include <algorithm>

#include "analysis/detect/atomicity.h"
#include "analysis/detect/deadlock.h"
#include "analysis/detect/detector.h"
#include "analysis/detect/order_finding.h"
#include "analysis/detect/race.h"

namespace heddle {

namespace {

std::unique_ptr<Detector> makeDeadlockDetector(const DetectorContext& context) {
  return std::make_unique<DeadlockDetector>(context.strategy, [context](const Deadlock& deadlock) {
    Runner& runner = context.strategy.runner();
    context.report({describeDeadlock(context.program, runner, deadlock, context.text),
                    DiagnosisSubject::of(runner, deadlock.schedule, deadlock.waiting)});
  });
}

std::unique_ptr<Detector> makeRaceDetector(const DetectorContext& context) {
  return std::make_unique<RaceDetector>(context.strategy, [context](const Race& race) {
    Runner& runner = context.strategy.runner();
    context.report({describeRace(context.program, runner, race, context.text),
                    DiagnosisSubject::of(runner, race.schedule, race.first, race.second)});
  });
}

std::unique_ptr<Detector> makeAtomicityDetector(const DetectorContext& context) {
  return std::make_unique<AtomicityDetector>(context.strategy, [context](const LostUpdate& lost) {
    Runner& runner = context.strategy.runner();
    const Forest& forest = runner.forest();
    const PlaceId read = forest[lost.read].place, between = forest[lost.between].place,
                  write = forest[lost.write].place;
    context.report({describeLostUpdate(context.program, runner, lost, context.text),
                    DiagnosisSubject::of(lost.schedule, [=](const std::vector<TraceEntry>& trace) {
                      return showsLostUpdate(trace, read, between, write);
                    })});
  });
}

constexpr Property kDeadlocks[] = {Property::Deadlock};
constexpr Property kRaces[] = {Property::Race, Property::Volatile};
constexpr Property kLostUpdates[] = {Property::Atomicity};

constexpr DetectorKind kKinds[] = {
    {kDeadlocks, makeDeadlockDetector},
    {kRaces, makeRaceDetector},
    {kLostUpdates, makeAtomicityDetector},
};

}  // namespace

bool DetectorKind::isWanted(const std::set<Property>& wanted) const {
  return std::any_of(properties.begin(), properties.end(),
                     [&](Property property) { return wanted.contains(property); });
}

bool DetectorKind::isWarning() const {
  return std::all_of(properties.begin(), properties.end(),
                     [](Property property) { return infoOf(property).isWarning; });
}

std::span<const DetectorKind> detectorKinds() {
  return kKinds;
}

bool needsDetector(Property property) {
  return std::any_of(std::begin(kKinds), std::end(kKinds),
                     [&](const DetectorKind& kind) { return kind.isWanted({property}); });
}

}  // namespace heddle
