#include "analysis/explore/strategies/strategies.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include "analysis/explore/con2colic/con2colic_strategy.h"
#include "analysis/explore/mpc/mcr_strategy.h"
#include "analysis/explore/mpc/mpc_complete.h"
#include "analysis/explore/mpc/mpc_strategy.h"
#include "analysis/explore/strategies/random_strategy.h"

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
    Named{"mcr", exploreByValues},
    Named{"con2colic",
          [](Runner& runner, const Budget& budget) { Con2colicStrategy(runner).explore(budget); }},
    Named{"random", exploreRandomly},
};

std::optional<std::vector<int64_t>> numbers(std::string_view list) {
  std::vector<int64_t> values;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.size(), list.find(',', begin));
    int64_t value = 0;
    const auto [last, error] = std::from_chars(list.data() + begin, list.data() + end, value);
    if (error != std::errc() || last != list.data() + end) return std::nullopt;
    values.push_back(value);
    begin = end + 1;
  }
  return values;
}

bool takeWithout(std::string_view list, Con2colicOptions& options) {
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.size(), list.find(',', begin));
    const std::string_view name = list.substr(begin, end - begin);
    if (name == "cores")
      options.coreGuidance = false;
    else if (name == "priority")
      options.prioritized = false;
    else if (name == "cache")
      options.duplicateFree = false;
    else
      return false;
    begin = end + 1;
  }
  return true;
}

bool takeWord(const std::string& word, StrategyChoice& choice) {
  const size_t equals = word.find('=');
  if (equals == std::string::npos) return false;
  const std::string name = word.substr(0, equals), value = word.substr(equals + 1);
  if (choice.name == "con2colic" && name == "without") return takeWithout(value, choice.con2colic);
  const auto values = numbers(value);
  if (!values) return false;
  if (choice.name == "con2colic" && name == "interferences" && values->size() == 1 && values->front() > 0) {
    choice.con2colic.maxInterferences = static_cast<uint32_t>(values->front());
    return true;
  }
  if (choice.name != "mcr" || name.empty() || name.front() != 'T') return false;
  (*choice.inputs)[name] = *values;
  return true;
}

}  // namespace

std::vector<std::string_view> strategyNames() {
  std::vector<std::string_view> names = {"forest"};
  for (const Named& strategy : kStrategies) names.push_back(strategy.name);
  return names;
}

std::optional<StrategyChoice> parseStrategy(std::string_view text, std::string& problem) {
  StrategyChoice choice;
  std::istringstream words{std::string(text)};
  words >> choice.name;
  const std::vector<std::string_view> names = strategyNames();
  const bool known = std::find(names.begin(), names.end(), choice.name) != names.end();
  if (!known) {
    problem = "strategy '" + choice.name + "' is unknown";
    return std::nullopt;
  }
  if (choice.name == "mcr") choice.inputs.emplace();
  for (std::string word; words >> word;)
    if (!takeWord(word, choice)) {
      problem = "'" + word + "' says nothing about strategy '" + choice.name + "'";
      return std::nullopt;
    }
  return choice;
}

std::string coverageText(const BranchCoverage& coverage) {
  uint64_t covered = 0;
  std::string degrees, found;
  for (const uint64_t branches : coverage.byDegree) {
    covered += branches;
    degrees += (degrees.empty() ? "" : "+") + std::to_string(branches);
  }
  for (const uint64_t execution : coverage.firstFinding)
    found += (found.empty() ? "; found in execution " : "/") + std::to_string(execution);
  return "covered " + std::to_string(covered) + " of " + std::to_string(coverage.branches) +
         " branch sides, by interferences " + degrees + "; " + std::to_string(coverage.scenarios) +
         " scenarios, " + std::to_string(coverage.unrealizable) + " not realizable" + found;
}

bool exploreWith(std::string_view name, Runner& runner, const Budget& budget) {
  const auto strategy =
      std::find_if(kStrategies.begin(), kStrategies.end(), [&](const Named& s) { return s.name == name; });
  if (strategy == kStrategies.end()) return false;
  strategy->explore(runner, budget);
  return true;
}

}  // namespace heddle
