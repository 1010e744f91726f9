// `heddle check` and `heddle replay`: run the analysis on files and print. The same Engine as the language
// server.
//
// Threading: call from one thread; ends early when `stop` is requested. Neither throws.
#pragma once

#include <iosfwd>
#include <stop_token>

#include "server/driver/cli_options.h"
#include "server/driver/exploration_input.h"
#include "server/driver/programs.h"
#include "server/driver/source_file.h"
#include "server/engine.h"
#include "server/render/replay_command.h"

namespace heddle {

struct Streams {
  std::ostream& out;
  std::ostream& err;
  bool outIsTerminal = false, errIsTerminal = false;
};

/// The process' exit code.
int runCheck(const CheckCommand& command, const Engine& engine, Streams streams, std::stop_token stop);
int runReplay(const ReplayCommand& command, const Engine& engine, Streams streams, std::stop_token stop);

bool readSources(const std::vector<std::string>& paths, std::vector<SourceFile>& files, std::ostream& err);
Budget budgetOf(const CommonOptions& common, std::stop_token stop);

/// How to replay what an exploration finds. `given`: the command line, whose entry point a harness does not
/// replace; `harness`: the generated one that was explored, where it is another than the one asked for
/// (Report::harness).
ReplayContext replayContextOf(const ExplorationInput& input, const CommonOptions& given,
                              const std::string& harness = "");

/// The exit code of one report. Of several, the worst counts: a bug, then a file that could not be explored,
/// then an unfinished one.
int exitCodeOf(const Report& report);
int worseExitCode(int a, int b);
/// As `code`, except that what holds only within bounds set by the time counts as unfinished.
int exitCodeStrictly(const Report& report, int code);

}  // namespace heddle
