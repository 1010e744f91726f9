// What people call a memory cell: the variable with its member or index, and for the hidden state of a
// semaphore, read-write lock, barrier or once control the variable that it belongs to.
//
// Threading: as the runner.
#pragma once

#include <string>

#include "analysis/explore/run/exploration.h"
#include "analysis/program/program.h"

namespace heddle {

std::string locationName(const Program& program, Runner& runner, LocationId location);

}  // namespace heddle
