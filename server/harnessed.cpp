#include "server/harnessed.h"

#include <utility>

#include "server/source/harness.h"
#include "server/source/linked_survey.h"

namespace heddle {
namespace {

std::optional<Harnessed> harnessedBy(const Survey& survey, const Snapshot& snapshot, const Options& options,
                                     const std::string& title) {
  const HarnessPlan plan = planHarnesses(survey, options.entry);
  for (const GeneratedHarness& harness : plan.harnesses) {
    const bool isWanted =
        title == harness.title || (title == kBestHarness && !harness.isOptional && !harness.isAlone);
    if (!isWanted) continue;
    Harnessed made{snapshot, options, harness};
    made.snapshot.text += harness.text;
    made.options.entry = kHarnessEntry;
    made.options.harness = harness.title;
    // Nobody has been asked; the verdict names it.
    made.snapshot.environment.signals = Signals::None;
    made.snapshot.environment.callersFit = harness.isAlone;
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

OfferedHarnesses::OfferedHarnesses(const Snapshot& snapshot, Options options, const Budget& budget)
    : snapshot_(snapshot), options_(std::move(options)) {
  if (!options_.harness.empty()) offered_ = surveyOf(snapshot, budget);
}

std::optional<Harnessed> OfferedHarnesses::asked() const {
  const std::string& title = options_.harness;
  if (title.empty()) return std::nullopt;
  if (title.ends_with(kMadeUp)) return onMadeUp(title.substr(0, title.size() - kMadeUp.size()));
  std::optional<Harnessed> made = harnessedBy(withLinked(offered_, snapshot_), snapshot_, options_, title);
  // A look that knew no units may have found it.
  return made ? made : harnessedBy(offered_, snapshot_, options_, title);
}

std::optional<Harnessed> OfferedHarnesses::onMadeUp(const std::string& title) const {
  Survey own = offered_;
  own.makesUpObjects = true;
  std::optional<Harnessed> made = harnessedBy(own, snapshot_, options_, title);
  if (made) made->options.harness = made->harness.title = title + std::string(kMadeUp);
  return made;
}

}  // namespace heddle
