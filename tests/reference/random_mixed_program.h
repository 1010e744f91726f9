// Random small programs with what the other generators leave out: polling (also for what nobody writes),
// try-locks that are polled, assumptions after shared writes, weak compare-exchange, accesses of several
// widths to one object, heap blocks that are freed and allocated again, waits on conditions with and without
// a loop, atomic sections.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::test {

/// Two or three threads. The same seed gives the same text.
std::string randomMixedProgram(uint64_t seed);

}  // namespace heddle::test
