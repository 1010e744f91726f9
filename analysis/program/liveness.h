// Liveness: which slots of a frame may still be read, at the points where two local states are compared
// (MergePoint) and behind calls. Backward data flow over the lowered instructions, so that what the machine
// reads and what counts as read cannot differ.
//
// Threading: pure functions on a program under construction.
#pragma once

#include "analysis/program/program.h"

namespace heddle {

/// Fills `live` of the function's merge points and of Program::afterCall. Constants never change and are left
/// out; so are loop counters, which are no part of the program. A function too large for the analysis has
/// every slot live.
void computeLiveness(Program& program, const Function& function);

/// By instruction of the function, from its entry: the slots that may still be read where it comes next,
/// sorted, without constants.
std::vector<std::vector<uint32_t>> liveBefore(const Program& program, const Function& function);

}  // namespace heddle
