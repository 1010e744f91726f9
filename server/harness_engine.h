// Generated harnesses in the engine: explorations and replays of files that do not define their entry point,
// by the command line and by the server alike. The survey of the file runs where the exploration runs, so in
// a worker of the server.
//
// Threading: as Engine.
#pragma once

#include "server/engine.h"

namespace heddle {

/// `engine`, whose explorations and replays follow Options::harness.
Engine withGeneratedHarnesses(Engine engine);

}  // namespace heddle
