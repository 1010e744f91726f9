// What a recorded run depends on: its schedule is run once more, and values are followed to the branches,
// addresses and sizes that they decide.
//
// Threading: pure functions.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "analysis/model/schedule.h"
#include "analysis/program/program.h"
#include "analysis/report.h"
#include "analysis/support/budget.h"

namespace heddle {

/// Inputs, by the labels of their threads in the schedule and their positions there.
using InputPositions = std::set<std::pair<std::string, uint32_t>>;

/// Whether a branch, an address or a size in the run depends on the values of these inputs.
bool dependsOn(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget,
               const InputPositions& inputs);

/// Whether a branch, an address or a size on the line of `place` depends on them.
bool decidesAt(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget,
               const InputPositions& inputs, const SourcePlace& place);

/// Whether an address or a callee on the line of `place` is a null that an unknown function left in memory.
bool isLeftNull(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget,
                const SourcePlace& place);

}  // namespace heddle
