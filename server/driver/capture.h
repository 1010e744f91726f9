// `heddle capture -- make …`: a compile_commands.json from what the user's build runs.
//
// Threading: call from a process with one thread (server/capture/traced_build.h). It runs the command that
// the user gave and nothing of its own.
#pragma once

#include "server/driver/check.h"
#include "server/driver/cli_options.h"

namespace heddle {

/// Runs the build, writes what its compilers were called with, and says on `err` how many files that are, or
/// why there is none. The process' exit code: the build's, or kExitUsage where nothing could be run or
/// written.
int runCapture(const CaptureCommand& command, Streams streams);

}  // namespace heddle
