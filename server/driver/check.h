// `heddle check` and `heddle replay`: run the analysis on files and print. The same Engine as the language
// server.
//
// Threading: call from one thread; ends early when `stop` is requested. Neither throws.
#pragma once

#include <iosfwd>
#include <stop_token>

#include "server/driver/cli_options.h"
#include "server/driver/programs.h"
#include "server/driver/source_file.h"
#include "server/engine.h"

namespace heddle {

struct Streams {
  std::ostream& out;
  std::ostream& err;
};

/// The process' exit code.
int runCheck(const CheckCommand& command, const Engine& engine, Streams streams, std::stop_token stop);
int runReplay(const ReplayCommand& command, const Engine& engine, Streams streams, std::stop_token stop);

/// What the user asked for, ready to be analysed; warnings about flags and compile databases go to `err`.
Snapshot snapshotOf(const SourceFile& file, const CommonOptions& common, const Engine& engine,
                    std::ostream& err);
/// Of a program of several files; the first is the one that a report is about.
Snapshot snapshotOf(const ProgramFiles& files, const CommonOptions& common, const Engine& engine,
                    std::ostream& err);
/// Reads all of them; false: `err` got one line for each that cannot be read.
bool readSources(const std::vector<std::string>& paths, std::vector<SourceFile>& files, std::ostream& err);
Budget budgetOf(const CommonOptions& common, std::stop_token stop);

/// Exit code of one report; the worst of several: a bug, then a file that could not be explored, then an
/// unfinished one.
int exitCodeOf(const Report& report);
int worseExitCode(int a, int b);

}  // namespace heddle
