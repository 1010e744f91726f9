// `heddle stubs`: definitions for the functions that a program calls and that are neither defined nor
// modelled.
//
// Threading: call from one thread. Does not throw.
#pragma once

#include "server/driver/check.h"
#include "server/driver/cli_options.h"
#include "server/engine.h"

namespace heddle {

/// The process' exit code.
int runStubs(const StubsCommand& command, const Engine& engine, Streams streams);

}  // namespace heddle
