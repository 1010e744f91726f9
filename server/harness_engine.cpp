#include "server/harness_engine.h"

#include <optional>
#include <utility>

#include "server/convert/position_map.h"
#include "server/source/generated_harness.h"
#include "server/source/harness.h"
#include "server/source/moved_places.h"

namespace heddle {
namespace {

/// What is explored instead of a snapshot.
struct Harnessed {
  Snapshot snapshot;
  Options options;
  GeneratedHarness harness;

  /// Places behind the text that the user knows are shown at the function that is called.
  MovedPlaces places(const Snapshot& own, const PositionMap& map) const {
    MovedPlaces moved(own.path, map, map);
    SourcePlace place = harness.place;
    place.file = own.path;
    moved.setBeyond(place);
    return moved;
  }
};

std::optional<Harnessed> harnessed(const Snapshot& snapshot, const Options& options, const Budget& budget) {
  if (options.harness.empty()) return std::nullopt;
  const HarnessPlan plan = planHarnesses(surveyOf(snapshot, budget), options.entry);
  for (const GeneratedHarness& harness : plan.harnesses) {
    if (options.harness != kBestHarness && options.harness != harness.title) continue;
    Harnessed made{snapshot, options, harness};
    made.snapshot.text += harness.text;
    made.options.entry = kHarnessEntry;
    // Nobody has been asked; the verdict names it.
    made.snapshot.environment.noSignals = true;
    return made;
  }
  return std::nullopt;
}

Report analyzeHarnessed(const Engine& engine, const Snapshot& snapshot, const Options& options,
                        const Budget& budget, const Observer& observer) {
  const std::optional<Harnessed> made = harnessed(snapshot, options, budget);
  if (!made) return engine.analyze(snapshot, options, budget, observer);
  const PositionMap map(snapshot.text);
  const MovedPlaces places = made->places(snapshot, map);
  Observer inner = observer;
  // What is only possible comes with the report.
  inner.finding = [&](const Finding& finding) {
    Finding shown = finding;
    places.move(shown);
    if (isCertain(made->harness, shown)) observer.finding(shown);
  };
  Report report = engine.analyze(made->snapshot, made->options, budget, inner);
  places.move(report);
  report.entry = options.entry;
  applyHarness(made->harness, report);
  return report;
}

ReplayResult replayHarnessed(const Engine& engine, const Snapshot& snapshot, const Options& options,
                             const std::string& schedule, const Budget& budget) {
  const std::optional<Harnessed> made = harnessed(snapshot, options, budget);
  if (!made) return engine.replay(snapshot, options, schedule, budget);
  const PositionMap map(snapshot.text);
  const MovedPlaces places = made->places(snapshot, map);
  ReplayResult result = engine.replay(made->snapshot, made->options, schedule, budget);
  for (Step& step : result.steps) places.move(step.place);
  for (InputValue& value : result.inputs) places.move(value.place);
  for (Finding& failure : result.failures) places.move(failure);
  return result;
}

}  // namespace

ExploredInstead exploredInstead(const Snapshot& snapshot, const Options& options, const Budget& budget) {
  std::optional<Harnessed> made = harnessed(snapshot, options, budget);
  if (!made) return {snapshot, options};
  return {std::move(made->snapshot), std::move(made->options)};
}

Engine withGeneratedHarnesses(Engine engine) {
  Engine out = engine;
  out.analyze = [engine](const Snapshot& snapshot, const Options& options, const Budget& budget,
                         const Observer& observer) {
    return analyzeHarnessed(engine, snapshot, options, budget, observer);
  };
  out.replay = [engine](const Snapshot& snapshot, const Options& options, const std::string& schedule,
                        const Budget& budget) {
    return replayHarnessed(engine, snapshot, options, schedule, budget);
  };
  if (engine.replayEach)
    out.replayEach = [engine](const Snapshot& snapshot, const Options& options,
                              const std::vector<std::string>& schedules, const Budget& budget,
                              const std::function<void(size_t, const ReplayResult&)>& seen) {
      const std::optional<Harnessed> made = harnessed(snapshot, options, budget);
      if (!made) return engine.replayEach(snapshot, options, schedules, budget, seen);
      for (size_t i = 0; i < schedules.size() && budget.check() == StopReason::None; i++)
        seen(i, replayHarnessed(engine, snapshot, options, schedules[i], budget));
    };
  if (engine.repair)
    out.repair = [engine](const Snapshot& snapshot, const Options& options, const Report& report,
                          const std::string& only, const Budget& budget) {
      // A patch is explored with the calls of the file's users, and a generated harness is none of them.
      return options.harness.empty() ? engine.repair(snapshot, options, report, only, budget)
                                     : RepairResult{};
    };
  if (engine.cover)
    out.cover = [engine](const Snapshot& snapshot, const Options& options, const Budget& budget,
                         const CoverObserver& observer) {
      const ExploredInstead instead = exploredInstead(snapshot, options, budget);
      CoverReport report = engine.cover(instead.snapshot, instead.options, budget, observer);
      takeBeyondAway(report, snapshot.path, PositionMap(snapshot.text).lineCount());
      return report;
    };
  out.harnesses = [](const Snapshot& snapshot, const std::string& entry, const Budget& budget) {
    return planHarnesses(surveyOf(snapshot, budget), entry);
  };
  return out;
}

}  // namespace heddle
