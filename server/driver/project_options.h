// The command line of the commands for whole projects and for files without a main: `stubs`, `harness`,
// `scan` and `outcomes`, as plain data.
//
// Threading: pure functions.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "server/driver/cli_options.h"

namespace heddle {

/// What CLI11 fills, beside what these commands share with others.
struct RawProject {
  std::vector<std::string> functions;
  std::string file, folder = ".", total = "60s", since;
  std::vector<std::string> finals;
  bool comment = false, list = false;
};

struct ProjectCommands {
  CLI::App* stubs = nullptr;
  CLI::App* harness = nullptr;
  CLI::App* scan = nullptr;
  CLI::App* outcomes = nullptr;
  CLI::App* relax = nullptr;
  CLI::App* annotate = nullptr;
};

ProjectCommands addProject(CLI::App& app, std::vector<std::string>& files, std::string& output,
                           RawProject& raw);

/// Nothing if the values are right; else what is wrong.
std::optional<std::string> takeScan(const RawProject& raw, ScanCommand& command);

}  // namespace heddle
