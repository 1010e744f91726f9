// `heddle worker`: explores for a server, in a process of its own. Reads requests on stdin and answers on
// stdout until the server goes.
//
// Threading: the calling thread explores; one more reads, so that a request can be stopped.
#pragma once

#include "server/engine.h"

namespace heddle {

/// The process' exit code.
int runWorker(const Engine& engine, int input, int output);

}  // namespace heddle
