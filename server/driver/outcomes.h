// `heddle outcomes`: which values variables can have at the end of a program, or which outcomes a litmus test
// of herd7 has, under a memory model.
//
// Threading: call from one thread. Does not throw.
#pragma once

#include <stop_token>

#include "server/driver/check.h"
#include "server/driver/cli_options.h"
#include "server/engine.h"

namespace heddle {

/// The process' exit code: that of an incomplete run where other outcomes may be possible.
int runOutcomes(const OutcomesCommand& command, const Engine& engine, Streams streams, std::stop_token stop);

}  // namespace heddle
