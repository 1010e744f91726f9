// Fences: full fences behind writes that make a program right which fails only because what a thread has
// written is not seen yet when it goes on to read. They do where orders of atomic operations do not: for
// plain accesses under TSO and PSO, and where one fence serves several accesses.
//
// Threading: as analyze().
#pragma once

#include <functional>
#include <optional>

#include "analysis/pipeline/pipeline.h"
#include "analysis/repair/realize.h"

namespace heddle {

/// `report`: of `snapshot`, with Report::accesses. None: fences behind all writes of shared data do not
/// verify the program, either, or there are too many writes. Else no fence of the plan can be left out while
/// the others stay.
std::optional<Realization> fencesFor(const Snapshot& snapshot, const Options& options, const Report& report,
                                     const Budget& budget);

}  // namespace heddle
