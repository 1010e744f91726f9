// `heddle relax`: the weakest memory orders with which a program stays verified, or, where it fails, the
// ones that must be stronger, as a diff. None of them could be weaker alone; another set may be smaller.
//
// Threading: call from one thread. Does not throw.
#pragma once

#include <stop_token>

#include "server/driver/check.h"
#include "server/driver/cli_options.h"
#include "server/engine.h"

namespace heddle {

/// The process' exit code: that of the program as it is.
int runRelax(const RelaxCommand& command, const Engine& engine, Streams streams, std::stop_token stop);

}  // namespace heddle
