// The command line of `heddle bench`, as plain data.
//
// Threading: pure functions.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "server/driver/cli_options.h"
#include "server/driver/strategy_options.h"

namespace heddle {

/// What CLI11 fills.
struct RawBench {
  std::vector<std::string> names, tuning;
  std::string suite, output, plot, budget = "60s", strategy = "forest", format = "text", solver = "sat";
  unsigned workers = 1;
  bool list = false, costOfDefaults = false;
  RawStrategy strategyOptions;
};

CLI::App* addBench(CLI::App& app, RawBench& raw);
Command takeBench(const RawBench& raw);

}  // namespace heddle
