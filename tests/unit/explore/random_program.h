// Random small concurrent C programs, for comparison with the exhaustive oracle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/explore/explored.h"

namespace heddle::test {

struct RandomProgram {
  std::string text;
  std::vector<Inputs> inputs;  // every assignment of the program's (2-bit) inputs
  std::string bounded = {};    // the same without loops that wait, where there are some
};

/// Two or three threads over a few shared variables: loads, stores, arithmetic, branches, short loops,
/// mutexes, try-locks, atomics, array accesses at computed indices, assertions, and at most three inputs.
/// `assumes`: and assumptions anywhere, also behind writes that others have read by then.
RandomProgram randomProgram(uint64_t seed, bool assumes = false);
/// Over semaphores, condition variables, barriers, read-write locks and atomic sections.
RandomProgram randomSyncProgram(uint64_t seed);
/// With loops that only wait for another thread.
RandomProgram randomSpinProgram(uint64_t seed);

}  // namespace heddle::test
