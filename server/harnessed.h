// Harnessed: a snapshot with the generated harness that options name behind its text.
//
// Threading: any thread; the survey of the file runs in the calling one.
#pragma once

#include <optional>

#include "analysis/pipeline/pipeline.h"
#include "server/convert/position_map.h"
#include "server/source/generated_harness.h"
#include "server/source/moved_places.h"

namespace heddle {

/// Behind the title of a harness for which no function of another file sets an object up.
inline constexpr std::string_view kMadeUp = ", on objects made up";

/// What is explored instead of a snapshot.
struct Harnessed {
  Snapshot snapshot;
  Options options;
  GeneratedHarness harness;

  /// Places behind the text that the user knows are shown at the function that is called.
  MovedPlaces places(const Snapshot& own, const PositionMap& map) const;
};

/// Nothing: the options name none, or none that the file offers.
std::optional<Harnessed> harnessed(const Snapshot& snapshot, Options options, const Budget& budget);

}  // namespace heddle
