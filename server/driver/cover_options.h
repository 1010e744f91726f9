// The command line of `heddle cover`, as plain data.
//
// Threading: pure functions.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace heddle {

CLI::App* addCover(CLI::App& app, std::vector<std::string>& files, std::string& output, std::string& lcov);

}  // namespace heddle
