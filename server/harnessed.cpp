#include "server/harnessed.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "server/source/harness.h"
#include "server/source/linked_survey.h"

namespace heddle {
namespace {

std::optional<Harnessed> harnessedBy(const std::vector<GeneratedHarness>& harnesses, const Snapshot& snapshot,
                                     const Options& options, const NeededBodies& bodies,
                                     const std::string& title) {
  for (const GeneratedHarness& harness : harnesses) {
    const bool isBest = title == kBestHarness && !harness.isOptional && !harness.isAlone;
    if (title != harness.title && !isBest) continue;
    Harnessed made{snapshot, options, harness};
    if (harness.isAlone) made.snapshot.text = bodies.textFor(harness.text);
    made.snapshot.text += harness.text;
    made.options.entry = kHarnessEntry;
    made.options.harness = harness.title;
    // Nobody has been asked; the verdict names it.
    made.snapshot.environment.signals = Signals::None;
    made.snapshot.environment.callersFit = harness.isAlone;
    made.snapshot.environment.keepsLocals |= harness.keepsLocals;
    return made;
  }
  return std::nullopt;
}

/// What an exploration has time for may be less than a look at a large file takes. A look that is cut off
/// offers a part of the harnesses, perhaps not the one that is asked for, and would be done again for the
/// next.
Budget forLook(const Budget& budget) {
  constexpr std::chrono::milliseconds kLongest = std::chrono::seconds(15);
  std::chrono::milliseconds box = kLongest;
  if (!budget.deadline()) return budget;
  box = std::max(
      box, std::chrono::duration_cast<std::chrono::milliseconds>(*budget.deadline() - Budget::Clock::now()));
  return Budget::forDuration(box).withStop(budget.stopToken());
}

/// What decides an offer, as long as no header changes.
std::string keyOf(const Snapshot& snapshot, const std::string& entry) {
  std::string key = snapshot.path + '\0' + entry + '\0' + (snapshot.command.isPartial ? "p" : "-") +
                    (snapshot.unitsFollow ? "f" : "-");
  for (const std::string& argument : snapshot.command.arguments) key += argument + '\0';
  for (const Unit& unit : snapshot.units) key += unit.path + '\0';
  for (const auto* texts : {&snapshot.overlays, &snapshot.command.made})
    for (const auto& [path, text] : *texts) {
      key += path + '\0';
      key += text + '\0';
    }
  return key + snapshot.text;
}

/// The title without what says how it is made up; nothing: it does not say so.
std::optional<std::string> without(const std::string& title, std::string_view suffix) {
  if (!title.ends_with(suffix)) return std::nullopt;
  return title.substr(0, title.size() - suffix.size());
}

std::shared_ptr<const Offer> offerOf(const Snapshot& snapshot, const std::string& entry,
                                     const Budget& budget) {
  Survey own = surveyOf(snapshot, budget);
  std::vector<GeneratedHarness> harnesses = planHarnesses(withLinked(own, snapshot), entry, budget).harnesses;
  return std::make_shared<const Offer>(std::move(own), snapshot, std::move(harnesses));
}

}  // namespace

const std::vector<GeneratedHarness>& Offer::alone(const std::string& entry, const MadeUp& madeUp) const {
  const std::lock_guard<std::mutex> guard(mutex_);
  const auto [known, isNew] = alone_.try_emplace({entry, madeUp});
  if (isNew) {
    Survey survey = own_;
    survey.makesUpObjects = madeUp.objects;
    survey.makesUpGlobals = madeUp.globals;
    survey.leavesOutSetUp = madeUp.isNotSetUp;
    known->second = planHarnesses(survey, entry).harnesses;
  }
  return known->second;
}

std::shared_ptr<const Offer> RecentOffers::of(const Snapshot& snapshot, const std::string& entry,
                                              const Budget& budget) {
  constexpr size_t kMost = 8;
  if (!snapshot.filesAreFixed) return offerOf(snapshot, entry, budget);
  const std::string key = keyOf(snapshot, entry);
  {
    const std::lock_guard<std::mutex> guard(mutex_);
    for (const auto& [known, offer] : recent_)
      if (known == key) return offer;
  }
  std::shared_ptr<const Offer> offer = offerOf(snapshot, entry, budget);
  // What the end of the time cut off is not all that there is.
  if (budget.check() != StopReason::None) return offer;
  const std::lock_guard<std::mutex> guard(mutex_);
  recent_.emplace_front(key, offer);
  if (recent_.size() > kMost) recent_.pop_back();
  return offer;
}

MovedPlaces Harnessed::places(const Snapshot& own, const PositionMap& map) const {
  MovedPlaces moved(own.path, map, map);
  SourcePlace place = harness.place;
  place.file = own.path;
  moved.setBeyond(place);
  return moved;
}

OfferedHarnesses::OfferedHarnesses(const Snapshot& snapshot, Options options, const Budget& budget,
                                   RecentOffers& recent)
    : snapshot_(snapshot), options_(std::move(options)) {
  if (!options_.harness.empty()) offer_ = recent.of(snapshot, options_.entry, forLook(budget));
}

std::optional<Harnessed> OfferedHarnesses::asked() const {
  const std::string& title = options_.harness;
  if (title.empty()) return std::nullopt;
  if (const auto plain = without(title, kNotSetUp)) return onNothingSetUp(*plain);
  if (const auto plain = without(title, kGlobalsMadeUp)) return onGlobalsMadeUp(*plain);
  if (const auto plain = without(title, kMadeUp)) return onMadeUp(*plain);
  std::optional<Harnessed> made = harnessedBy(offer_->harnesses, snapshot_, options_, offer_->bodies, title);
  // A look that knew no units may have found it.
  return made ? made : by(title, {}, title);
}

std::optional<Harnessed> OfferedHarnesses::onMadeUp(const std::string& title) const {
  return by(title, {.objects = true}, title + std::string(kMadeUp));
}

std::optional<Harnessed> OfferedHarnesses::onGlobalsMadeUp(const std::string& title) const {
  const auto plain = without(title, kMadeUp);
  return by(plain.value_or(title), {.objects = plain.has_value(), .globals = true},
            title + std::string(kGlobalsMadeUp));
}

std::optional<Harnessed> OfferedHarnesses::onNothingSetUp(const std::string& title) const {
  const std::string plain = without(title, kMadeUp).value_or(title);
  const auto setUp = by(plain, {.objects = true, .globals = true}, plain);
  auto made =
      by(plain, {.objects = true, .globals = true, .isNotSetUp = true}, plain + std::string(kNotSetUp));
  // Nothing sets the file up as a whole.
  if (setUp && made && setUp->harness.text == made->harness.text) return std::nullopt;
  return made;
}

std::optional<Harnessed> OfferedHarnesses::by(const std::string& title, const MadeUp& madeUp,
                                              const std::string& shown) const {
  std::optional<Harnessed> made =
      harnessedBy(offer_->alone(options_.entry, madeUp), snapshot_, options_, offer_->bodies, title);
  if (made) made->options.harness = made->harness.title = shown;
  return made;
}

}  // namespace heddle
