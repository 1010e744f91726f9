// `heddle annotate`: the locks that guard data, as thread-safety attributes to write into the text, and the
// accesses that break a guard which the text names.
//
// Threading: call from one thread. Does not throw.
#pragma once

#include <stop_token>

#include "server/driver/check.h"
#include "server/driver/cli_options.h"
#include "server/engine.h"

namespace heddle {

/// The process' exit code: that of the program, or of a bug where a written guard is broken.
int runAnnotate(const AnnotateCommand& command, const Engine& engine, Streams streams, std::stop_token stop);

}  // namespace heddle
