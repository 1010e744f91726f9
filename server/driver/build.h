// `heddle build FILE... -o prog --enforce`: a native program that keeps to scheduling constraints under which
// it was proved safe.
//
// Threading: as check.h.
#pragma once

#include "server/driver/check.h"

namespace heddle {

int runBuild(const BuildCommand& command, const Engine& engine, Streams streams, std::stop_token stop);

}  // namespace heddle
