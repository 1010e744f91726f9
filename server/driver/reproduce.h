// `heddle reproduce FILE FINDING -o prog`: a native program that takes the schedule and the inputs of a
// finding, and so fails each time.
//
// Threading: as check.h.
#pragma once

#include "server/driver/check.h"

namespace heddle {

int runReproduce(const ReproduceCommand& command, const Engine& engine, Streams streams,
                 std::stop_token stop);

}  // namespace heddle
