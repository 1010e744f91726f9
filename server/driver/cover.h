// `heddle cover FILE`: a suite of schedules with inputs that take each side of each branch, and what none can
// take.
//
// Threading: as check.h.
#pragma once

#include "server/driver/check.h"

namespace heddle {

int runCover(const CoverCommand& command, const Engine& engine, Streams streams, std::stop_token stop);

/// What `heddle replay` is given last: a schedule, or a file of a suite (its name ends in .schedule), whose
/// lines that begin with # are comments. nullopt: it cannot be read.
std::optional<std::string> scheduleIn(const std::string& given);

}  // namespace heddle
