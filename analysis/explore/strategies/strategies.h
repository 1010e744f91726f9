// Strategies by name: the strategies that a user can choose.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/explore/run/exploration.h"

namespace heddle {

/// All names that a user can choose: "forest", "mpc-s1", "mpc-s2", ….
std::vector<std::string_view> strategyNames();

/// A strategy as the user gives it: the name, then options of the strategy. Examples: "con2colic
/// interferences=3 without=cores,cache", "mcr T1=3 T2=4,5" (inputs by thread and order; missing inputs are
/// 0).
struct StrategyChoice {
  std::string name;
  Con2colicOptions con2colic;
  std::optional<std::map<std::string, std::vector<int64_t>>> inputs;
};
/// nullopt: `problem` says what is wrong.
std::optional<StrategyChoice> parseStrategy(std::string_view text, std::string& problem);

/// "covered 12 of 14 branch sides, by interferences 9+2+1; …"
std::string coverageText(const BranchCoverage& coverage);

/// Explores with the strategy of that name and fills the runner's result. False: there is no such strategy.
/// None of them looks for races or deadlocks.
bool exploreWith(std::string_view name, Runner& runner, const Budget& budget);

}  // namespace heddle
