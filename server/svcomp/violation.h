// A finding as a violation witness: its inputs, creations of threads and switches between them as waypoints
// in the order of its schedule, and what it violates as the target.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <vector>

#include "analysis/report.h"
#include "server/svcomp/witness.h"

namespace heddle::svcomp {

/// The segments of a finding whose places are in `text`, the text of the file that the user named `file`.
/// Switches are named by the statements before and after them, which is less than the schedule says:
/// waypoints know statements only.
std::vector<std::vector<Waypoint>> segmentsOf(const Finding& finding, const std::string& file,
                                              const std::string& text);

/// Whether the finding ends where the witness says: at the same line, of a race at the same two. Columns are
/// not compared, because tools differ in them.
bool endsAtTarget(const Witness& witness, const Finding& finding, const std::string& file,
                  const std::string& text);

}  // namespace heddle::svcomp
