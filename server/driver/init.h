// `heddle init`: what a project needs to begin with Heddle.
//
// Threading: call from one thread. Writes new files only: one that is there already stays as it is.
#pragma once

#include "server/driver/check.h"
#include "server/driver/cli_options.h"

namespace heddle {

/// Writes `.heddle.yaml` and, where asked, a job for CI into the folder; says what it wrote and what to do
/// next. The process' exit code.
int runInit(const InitCommand& command, Streams streams);

}  // namespace heddle
