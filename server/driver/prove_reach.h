// `heddle check --prove-reach`: looks whether a verdict is vacuous. At the end of each thread function, and
// of the entry point, a failure is seeded, one at a time; the same exploration must find it, or the report
// must name that end among what was not reached.
//
// Threading: the caller's thread.
#pragma once

#include <stop_token>

#include "analysis/report.h"
#include "server/driver/check.h"
#include "server/driver/exploration_input.h"

namespace heddle {

/// `report`: what was said of the program as it is. Does nothing for a program that is not called verified.
/// Prints one line for each end. Returns kExitBug when some end is neither found nor named.
int proveReach(const ExplorationInput& input, const Report& report, const Engine& engine, Streams streams,
               std::stop_token stop);

}  // namespace heddle
