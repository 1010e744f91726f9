// Order findings: turns a race, a deadlock or a lost update that was executed into a finding as plain data.
//
// Threading: pure functions.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "analysis/detect/atomicity.h"
#include "analysis/detect/deadlock.h"
#include "analysis/detect/race.h"
#include "analysis/report.h"

namespace heddle {

Finding describeRace(const Program& program, Runner& runner, const Race& race, std::string_view text);
Finding describeLostUpdate(const Program& program, Runner& runner, const LostUpdate& lost,
                           std::string_view text);
Finding describeDeadlock(const Program& program, Runner& runner, const Deadlock& deadlock,
                         std::string_view text);

/// What the message of a race says more where one of the threads stands for a signal; else empty.
std::string besideHandler(const Names& names, const std::array<ThreadId, 2>& threads);

}  // namespace heddle
