// Random small programs with loops that an input ends: two threads that count up and down in variables of one
// byte, mostly under a lock, mostly within limits; and a claim about what is left. All their states are few,
// so that the reference can visit them, and no number of rounds bounds them.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::test {

/// Two threads beside main. The same seed gives the same text.
std::string randomLoopProgram(uint64_t seed);
/// The same with waits on a condition variable and at a barrier in the loops. Many of these deadlock.
std::string randomWaitProgram(uint64_t seed);

}  // namespace heddle::test
