// What the command line may say: every command with its options, declared once for CLI11. The parser, the
// manual page and the shells' completions are made of it.
//
// Threading: pure functions.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "server/driver/bench_options.h"
#include "server/driver/cli_options.h"
#include "server/driver/native_options.h"
#include "server/driver/project_options.h"
#include "server/driver/strategy_options.h"

namespace heddle {

/// What CLI11 fills before it is checked and becomes a command.
struct RawCommandLine {
  std::vector<std::string> files;
  std::string entry = "main", budget = "10s", strategy = "forest", format = "text", output, baseline,
              solver = "sat";
  std::vector<std::string> properties;
  std::optional<uint64_t> steps;
  uint32_t unroll = 0;
  unsigned workers = 0;
  std::string checkpoint;
  uint64_t memoryMib = 0;
  Environment environment;
  bool onlyNeeded = false, partial = false, full = false;
  std::optional<std::string> arguments;
  std::vector<std::string> unknown, sizes;
  std::string harness;
  bool proveReach = false;
  bool everyAccess = false, census = false, all = false, stdio = false, version = false, verbose = false;
  unsigned apply = 0;
  RawStrategy strategyOptions;
  RawNative native;
  std::string lcov;
  std::string compileCommands, writeBaseline, tsanReport, colour = "auto", shell, folder = ".", ci, name;
  bool strict = false, quiet = false;
  SvcompOptions svcomp;
  RawProject project;
  RawBench bench;
  std::set<std::string> given;
};

/// The commands, by what they are called.
struct DeclaredCommands {
  CLI::App *dap = nullptr, *worker = nullptr, *check = nullptr, *explain = nullptr, *replay = nullptr,
           *repair = nullptr, *reproduce = nullptr, *save = nullptr, *build = nullptr, *cover = nullptr,
           *bench = nullptr, *init = nullptr, *capture = nullptr, *completion = nullptr, *man = nullptr;
  ProjectCommands project;
};

/// `app` is the whole command line; parsing fills `raw`, which must outlive it.
DeclaredCommands declareCommandLine(CLI::App& app, RawCommandLine& raw);

}  // namespace heddle
