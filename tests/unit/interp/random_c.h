// Generated single-threaded C programs for differential tests: every operator on every integer type,
// structures with bit-fields, unions, arrays, pointers, functions (also by value and by pointer), loops,
// switch and goto.
//
// The programs have no undefined behaviour that could show: shifts are masked, divisors are guarded, indices
// stay in range, signed arithmetic is compiled with -fwrapv, everything is initialized. They print as they go
// and end with a checksum as exit code. The same seed gives the same text.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::test {

std::string randomC(uint64_t seed);

}  // namespace heddle::test
