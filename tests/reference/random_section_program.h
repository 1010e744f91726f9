// RandomSectionProgram: random C programs whose threads work in critical sections of one mutex, and wait in
// the middle of them by giving the mutex up: what they did before, others find meanwhile.
//
// Threading: pure functions.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::test {

/// The same text for the same seed. Two or three threads, of which every access is made with the mutex held.
std::string randomSectionProgram(uint64_t seed);

}  // namespace heddle::test
