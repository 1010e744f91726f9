// RealizeUnits: realizes a plan in a program of several files, each file's part in that file's syntax tree.
// What the parts share (a new mutex, a flag) has one name and one definition, and is declared in the other
// files.
//
// Threading: as realize().
#pragma once

#include <optional>
#include <vector>

#include "analysis/repair/plan_scene.h"
#include "analysis/repair/realize.h"

namespace heddle {

/// Each file of the program as the main file of a separate snapshot; the first is the given snapshot's main
/// file.
std::vector<Snapshot> unitsOf(const Snapshot& snapshot);

/// The plan, or the part of it that concerns this file.
Realization realizeIn(const Snapshot& unit, const RepairPlan& plan, const RealizeStyle& style,
                      const std::optional<UnitPart>& part);

/// `units`: at least two.
Realization realizeInUnits(const std::vector<Snapshot>& units, const RepairPlan& plan,
                           const RealizeStyle& style);

}  // namespace heddle
