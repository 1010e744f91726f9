#include "server/harnessed.h"

#include <utility>

#include "server/source/harness.h"
#include "server/source/linked_survey.h"

namespace heddle {
namespace {

std::optional<Harnessed> harnessedBy(const Survey& survey, const Snapshot& snapshot, const Options& options) {
  const HarnessPlan plan = planHarnesses(survey, options.entry);
  for (const GeneratedHarness& harness : plan.harnesses) {
    const bool isWanted =
        options.harness == harness.title || (options.harness == kBestHarness && !harness.isOptional);
    if (!isWanted) continue;
    Harnessed made{snapshot, options, harness};
    made.snapshot.text += harness.text;
    made.options.entry = kHarnessEntry;
    made.options.harness = harness.title;
    // Nobody has been asked; the verdict names it.
    made.snapshot.environment.signals = Signals::None;
    return made;
  }
  return std::nullopt;
}

}  // namespace

MovedPlaces Harnessed::places(const Snapshot& own, const PositionMap& map) const {
  MovedPlaces moved(own.path, map, map);
  SourcePlace place = harness.place;
  place.file = own.path;
  moved.setBeyond(place);
  return moved;
}

std::optional<Harnessed> harnessed(const Snapshot& snapshot, Options options, const Budget& budget) {
  if (options.harness.empty()) return std::nullopt;
  const std::string asked = options.harness;
  const bool isMadeUp = asked.ends_with(kMadeUp);
  if (isMadeUp) options.harness.resize(asked.size() - kMadeUp.size());
  const Survey offered = surveyOf(snapshot, budget);
  Survey survey = isMadeUp ? offered : withLinked(offered, snapshot);
  if (isMadeUp) survey.declared.clear();
  std::optional<Harnessed> made = harnessedBy(survey, snapshot, options);
  // A look that knew no units may have found it.
  if (!made && !isMadeUp) made = harnessedBy(offered, snapshot, options);
  if (made && isMadeUp) made->options.harness = made->harness.title = asked;
  return made;
}

}  // namespace heddle
