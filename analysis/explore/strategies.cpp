#include "analysis/explore/strategies.h"

#include <algorithm>
#include <array>

#include "analysis/explore/mpc_complete.h"
#include "analysis/explore/mpc_strategy.h"
#include "analysis/explore/random_strategy.h"

namespace heddle {

namespace {

struct Named {
  std::string_view name;
  void (*explore)(Runner&, const Budget&);
};

constexpr std::array kStrategies = {
    Named{"mpc-s1", [](Runner& runner, const Budget& budget) { MpcStrategy(runner, false).explore(budget); }},
    Named{"mpc-s2", [](Runner& runner, const Budget& budget) { MpcStrategy(runner, true).explore(budget); }},
    Named{"mpc-s2-fixed",
          [](Runner& runner, const Budget& budget) { MpcCompleteStrategy(runner).explore(budget); }},
    Named{"random", exploreRandomly},
};

constexpr auto kNames = [] {
  std::array<std::string_view, kStrategies.size()> names;
  for (size_t i = 0; i < names.size(); ++i) names[i] = kStrategies[i].name;
  return names;
}();

}  // namespace

std::span<const std::string_view> otherStrategies() {
  return kNames;
}

bool exploreWith(std::string_view name, Runner& runner, const Budget& budget) {
  const auto strategy =
      std::find_if(kStrategies.begin(), kStrategies.end(), [&](const Named& s) { return s.name == name; });
  if (strategy == kStrategies.end()) return false;
  strategy->explore(runner, budget);
  return true;
}

}  // namespace heddle
