// `heddle harness`: a generated harness as a program or a comment, to be kept and changed.
//
// Threading: call from one thread. Does not throw.
#pragma once

#include "server/driver/check.h"
#include "server/driver/cli_options.h"
#include "server/engine.h"

namespace heddle {

/// The process' exit code.
int runHarness(const HarnessCommand& command, const Engine& engine, Streams streams);

}  // namespace heddle
