// Races that ThreadSanitizer has reported: read from its text, and looked for in an exploration. What another
// tool saw in one run becomes a schedule that replays, or is reported as not found, with how much was
// explored. Only where everything was explored is it said that there is none.
//
// Threading: pure functions.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report.h"

namespace heddle {

/// A line of a call stack.
struct ReportedFrame {
  std::string function, file;  // as the tool wrote them
  uint32_t line = 0;           // from 1
  bool operator==(const ReportedFrame&) const = default;
};

/// A data race: two accesses, each with its call stack, innermost first.
struct ReportedRace {
  std::array<std::vector<ReportedFrame>, 2> stacks;
  bool operator==(const ReportedRace&) const = default;
};

/// The data races in what ThreadSanitizer (of GCC or Clang) wrote, each once; other text is passed over, and
/// so are races whose stacks have no lines (the program was built without -g).
std::vector<ReportedRace> racesIn(std::string_view text);

/// What became of each race in the exploration that `report` is about. `files`: of the program; a race is at
/// the innermost line of each stack that is in one of them. Where only another pair of lines was shown to
/// race on the same data, that is said with its lines. The report must have its accesses (summarizeAccesses).
std::vector<ConfirmedRace> lookFor(const std::vector<ReportedRace>& races, const Report& report,
                                   const std::vector<std::string>& files);

}  // namespace heddle
