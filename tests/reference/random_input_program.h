// Random small programs in which inputs of few values decide: how often a loop goes round, how many jobs a
// list has, which element, which lock, how many a semaphore lets pass, who waits; and amounts that are only
// added.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::test {

/// Two threads beside main. The same seed gives the same text.
std::string randomInputProgram(uint64_t seed);

}  // namespace heddle::test
