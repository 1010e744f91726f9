// The command line of `heddle reproduce` and `heddle build`, as plain data.
//
// Threading: pure functions.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "server/driver/cli_options.h"

namespace heddle {

/// What CLI11 fills, beside what these commands share with others.
struct RawNative {
  std::vector<std::string> compilerOptions;
  bool enforce = false, shake = false;
  uint32_t atLeast = 0, measure = 0;
  std::string order, prefix, writePrefix, relaxFrom;
};

CLI::App* addReproduce(CLI::App& app, std::vector<std::string>& files, std::string& output, RawNative& raw);
CLI::App* addBuild(CLI::App& app, std::vector<std::string>& files, std::string& output, RawNative& raw);
void takeBuild(const RawNative& raw, BuildCommand& command);

}  // namespace heddle
