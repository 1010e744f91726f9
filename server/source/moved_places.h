// MovedPlaces: where the places of one text are in another text that has the same tokens. Carries results
// over an edit of comments or layout, see sameProgram().
//
// Threading: immutable after construction; it refers to both texts.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analysis/report.h"
#include "server/convert/position_map.h"

namespace heddle {

class MovedPlaces {
 public:
  /// `path`: places in other files stay. Requires sameProgram(before, after).
  MovedPlaces(std::string path, const PositionMap& before, const PositionMap& after);
  /// The same, but the bodies of functions that are not reached may differ, see withoutUnreached().
  MovedPlaces(std::string path, const PositionMap& before, const PositionMap& after,
              const std::set<std::string>& reached);

  /// Places behind the end of `before` are shown at `place`: see harness.h.
  void setBeyond(const SourcePlace& place) { beyond_ = place; }

  void move(SourcePlace& place) const;
  void move(Finding& finding) const;
  void move(Report& report) const;

 private:
  void move(Explanation& explanation) const;

  std::string path_;
  const PositionMap& before_;
  const PositionMap& after_;
  SourcePlace beyond_;                // line 0: none
  std::vector<ByteRange> from_, to_;  // of the tokens; empty: both texts are the same
};

}  // namespace heddle
