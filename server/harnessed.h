// Harnessed: a snapshot with the generated harness that options name behind its text.
//
// Threading: any thread; the survey of the file runs in the calling one.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/pipeline/pipeline.h"
#include "analysis/survey/survey.h"
#include "server/convert/position_map.h"
#include "server/source/generated_harness.h"
#include "server/source/moved_places.h"
#include "server/source/needed_bodies.h"

namespace heddle {

/// Behind the title of a harness for which no function of another file, or of a header, sets an object up.
inline constexpr std::string_view kMadeUp = ", on objects made up";

/// Behind the title of one where null pointers in global variables lead to new objects.
inline constexpr std::string_view kGlobalsMadeUp = ", on global objects made up";

/// Behind the title of one where objects and global ones are made up, and what sets the file up as a whole is
/// not called.
inline constexpr std::string_view kNotSetUp = ", and nothing set up";

/// What a harness makes up, in place of what functions would set up.
struct MadeUp {
  bool objects = false;
  bool globals = false;
  bool isNotSetUp = false;  // what sets the file up as a whole is left out
  auto operator<=>(const MadeUp&) const = default;
};

/// What is explored instead of a snapshot.
struct Harnessed {
  Snapshot snapshot;
  Options options;
  GeneratedHarness harness;

  /// Places behind the text that the user knows are shown at the function that is called.
  MovedPlaces places(const Snapshot& own, const PositionMap& map) const;
};

/// What a look at a file shows, and the harnesses that follow from it.
///
/// Threading: any thread.
class Offer {
 public:
  /// `own`: of the snapshot's file itself. `linked`: the harnesses with what linked files set up.
  Offer(Survey own, const Snapshot& snapshot, std::vector<GeneratedHarness> linked)
      : harnesses(std::move(linked)), bodies(own, snapshot), own_(std::move(own)) {}

  /// Those that a look at the file alone offers.
  const std::vector<GeneratedHarness>& alone(const std::string& entry, const MadeUp& madeUp) const;

  const std::vector<GeneratedHarness> harnesses;
  const NeededBodies bodies;

 private:
  const Survey own_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::string, MadeUp>, std::vector<GeneratedHarness>> alone_;
};

/// The last offers of files that do not change meanwhile (Snapshot::filesAreFixed): a file has one
/// exploration for each of its harnesses.
///
/// Threading: any thread.
class RecentOffers {
 public:
  std::shared_ptr<const Offer> of(const Snapshot& snapshot, const std::string& entry, const Budget& budget);

 private:
  std::mutex mutex_;
  std::deque<std::pair<std::string, std::shared_ptr<const Offer>>> recent_;  // by what decides them
};

/// The harnesses that a file offers, by one look at its text. The snapshot must outlive it.
class OfferedHarnesses {
 public:
  OfferedHarnesses(const Snapshot& snapshot, Options options, const Budget& budget, RecentOffers& recent);

  /// The one that the options name; nothing: they name none, or none that the file offers.
  std::optional<Harnessed> asked() const;
  /// The one of that title where objects are made up that no function of the file itself sets up.
  std::optional<Harnessed> onMadeUp(const std::string& title) const;
  /// The one of that title where null pointers in global variables lead to new objects. `title`: as reported.
  std::optional<Harnessed> onGlobalsMadeUp(const std::string& title) const;
  /// The one of that title where all is made up and what sets the file up is not called.
  std::optional<Harnessed> onNothingSetUp(const std::string& title) const;

 private:
  std::optional<Harnessed> by(const std::string& title, const MadeUp& madeUp, const std::string& shown) const;

  const Snapshot& snapshot_;
  const Options options_;
  std::shared_ptr<const Offer> offer_;  // null where the options name no harness
};

}  // namespace heddle
