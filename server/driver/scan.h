// `heddle scan`: all C files of a folder: what each offers, the most promising explorations within one time
// box, and what is known of each function afterwards.
//
// Threading: call from one thread; ends early when `stop` is requested. Does not throw.
#pragma once

#include <stop_token>

#include "server/driver/check.h"
#include "server/driver/cli_options.h"
#include "server/engine.h"

namespace heddle {

/// The process' exit code: as for `check`; kExitIncomplete where nothing could be explored.
int runScan(const ScanCommand& command, const Engine& engine, Streams streams, std::stop_token stop);

}  // namespace heddle
