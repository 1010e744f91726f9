// Strategies: those that a user can choose beside `forest`, by name.
#pragma once

#include <span>
#include <string_view>

#include "analysis/explore/exploration.h"

namespace heddle {

/// "mpc-s1", "mpc-s2", …; `forest` is not among them (see ForestStrategy).
std::span<const std::string_view> otherStrategies();

/// Explores with the strategy of that name and fills the runner's result. False: there is no such strategy.
/// None of them looks for races or deadlocks.
bool exploreWith(std::string_view name, Runner& runner, const Budget& budget);

}  // namespace heddle
