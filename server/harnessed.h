// Harnessed: a snapshot with the generated harness that options name behind its text.
//
// Threading: any thread; the survey of the file runs in the calling one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analysis/pipeline/pipeline.h"
#include "analysis/survey/survey.h"
#include "server/convert/position_map.h"
#include "server/source/generated_harness.h"
#include "server/source/moved_places.h"

namespace heddle {

/// Behind the title of a harness for which no function of another file, or of a header, sets an object up.
inline constexpr std::string_view kMadeUp = ", on objects made up";

/// What is explored instead of a snapshot.
struct Harnessed {
  Snapshot snapshot;
  Options options;
  GeneratedHarness harness;

  /// Places behind the text that the user knows are shown at the function that is called.
  MovedPlaces places(const Snapshot& own, const PositionMap& map) const;
};

/// The harnesses that a file offers, by one look at its text. The snapshot must outlive it.
class OfferedHarnesses {
 public:
  OfferedHarnesses(const Snapshot& snapshot, Options options, const Budget& budget);

  /// The one that the options name; nothing: they name none, or none that the file offers.
  std::optional<Harnessed> asked() const;
  /// The one of that title where objects are made up that no function of the file itself sets up.
  std::optional<Harnessed> onMadeUp(const std::string& title) const;

 private:
  const Snapshot& snapshot_;
  const Options options_;
  Survey offered_;  // empty where the options name no harness
};

}  // namespace heddle
