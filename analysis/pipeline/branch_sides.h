// Branch sides: the sides of branches and switches in the text of a program, each with the mark that an
// execution leaves when it takes the side. All code that counts covered sides uses this one definition.
//
// Threading: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/interp/core/reach_log.h"
#include "analysis/program/program.h"

namespace heddle {

struct BranchSide {
  FunctionId function = 0;
  uint32_t branch = 0;  // the instruction
  PlaceId place = kNone;
  uint32_t marked = 0;  // index of the mark in ReachLog
  uint8_t mark = 0;     // ReachLog::kTrue, …
  std::string text;     // "true", "false", "case 1, 2", "default"
  bool isAssertion = false;
  bool isFailure = false;  // the side on which an assertion fails, which need not be covered
};

/// The sides in one function, in the order of its instructions; the true side comes before the false one.
std::vector<BranchSide> branchSidesIn(const Program& program, FunctionId function);
/// The sides in all functions that `entry` can reach and that have a place.
std::vector<BranchSide> branchSides(const Program& program, FunctionId entry);

inline bool isCovered(const BranchSide& side, const ReachLog& log) {
  return side.marked < log.at.size() && (log.at[side.marked] & side.mark) != 0;
}

}  // namespace heddle
