// Dense indices of the things the analysis talks about. All are stable across the executions of one
// exploration, because they are derived from thread-local history only (design, part 1).
#pragma once

#include <cstdint>
#include <limits>

namespace heddle {

using ThreadId = uint32_t;    // Names::thread
using ObjectId = uint32_t;    // Names::object
using LocationId = uint32_t;  // Locations::intern: one cell of a shared object
using PlaceId = uint32_t;     // Program::places: a source place
using FunctionId = uint32_t;  // Program::functions

inline constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
inline constexpr ThreadId kMainThread = 0;

}  // namespace heddle
