// Fences: full fences after writes. They repair a program that fails only because a thread goes on to read
// before others see what it has written. They help where orders of atomic operations do not: for plain
// accesses under TSO and PSO, and where one fence serves several accesses.
//
// Threading: as analyze().
#pragma once

#include <functional>
#include <optional>

#include "analysis/pipeline/pipeline.h"
#include "analysis/repair/realize.h"

namespace heddle {

/// `report`: the report of `snapshot`, with Report::accesses. nullopt: even fences after all writes of
/// shared data do not verify the program, or there are too many writes. Otherwise no single fence of the
/// plan can be left out.
std::optional<Realization> fencesFor(const Snapshot& snapshot, const Options& options, const Report& report,
                                     const Budget& budget);

}  // namespace heddle
