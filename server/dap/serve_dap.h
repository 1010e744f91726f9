// `heddle dap`: the Debug Adapter Protocol over two file descriptors.
//
// Threading: call from one thread; it has one more for reading, so that a client that goes away, or asks for
// the end, ends a long launch.
#pragma once

#include <string>

#include "server/engine.h"

namespace heddle {

/// Serves until the client disconnects or closes the stream. Returns the exit code of the process.
int serveDap(const Engine& engine, const std::string& userFolder, int input, int output);

}  // namespace heddle
