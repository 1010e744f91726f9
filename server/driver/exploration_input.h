// ExplorationInput: what the command line explores for one program: its files with the configuration that
// holds for them, and the harness that stands for a missing entry point. `check`, `explain`, `replay` and
// `repair` take it from here, so that a schedule that one prints is a schedule of what the others run.
//
// Threading: one thread.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "server/driver/cli_options.h"
#include "server/driver/programs.h"
#include "server/driver/source_file.h"
#include "server/engine.h"
#include "server/source/moved_places.h"

namespace heddle {

struct ExplorationInput {
  ProgramFiles files;
  CommonOptions options;  // the command line's, else those of the project's and the user's `.heddle.yaml`
  Snapshot snapshot;
  bool harness = false;  // the snapshot's text has one behind it, and options name its entry
  SourcePlace harnessPlace;
  /// For a file without an entry point: the number of harnesses that could be made, at least 1. The harness
  /// that options name is one of them.
  size_t generated = 0;
  /// That harness makes one call, with any arguments, and nobody has asked for it by name.
  bool isAlone = false;
  /// Calls side by side that nobody has asked for by name, behind the best.
  bool isFurther = false;
  bool allocationsFail = false;  // as nobody has asked for: what is found so is only possible

  /// The text of one of its files without the harness behind it, which is not the user's.
  std::string withoutHarness(const std::string& path, const std::string& text) const;
  /// Shows places in the harness at its comment, and files as the user named them.
  void showAsWritten(Report& report) const;
  void showAsWritten(ReplayResult& result) const;
};

/// How many harnesses of a file are explored when nobody names one, and how many more in a part of the time:
/// most races show in a fraction of a second, and which calls race the text does not always tell.
inline constexpr size_t kMostHarnesses = 6, kMostFurther = 24;

/// One for each program among `files` (not empty), which must outlive the result. Which file defines the
/// entry point is asked of the compiler when there are several, and of the text where one does not compile.
/// A program without an entry point, for which no comment says what to run, is explored through generated
/// harnesses: there is one result for each of the best. Where its file compiles only in part, these are of
/// the part, behind one of the whole. Mistakes in configuration files are warnings on `err`. `near`: linked
/// to a program that has no other files, as far as it needs them.
std::vector<ExplorationInput> explorationsOf(const std::vector<SourceFile>& files,
                                             const CommonOptions& common, const Engine& engine,
                                             std::ostream& err, const std::vector<SourceFile>& near = {});

/// What the exploration of a program leaves open, because it did not come there: calls of such functions,
/// each alone. What a look at their text sees is told on `err`. Empty where the report shows an error and
/// nothing is open, or comes to all functions.
std::vector<ExplorationInput> callsNotReached(const ExplorationInput& program, const Report& report,
                                              const Engine& engine, std::ostream& err);

/// Files of the same tree that a file without an entry point needs, where it is the only one that the user
/// names (near_files.h): for `near` above, which must outlive the result.
std::vector<SourceFile> filesNear(const std::vector<SourceFile>& files, const CommonOptions& common);

/// The same for `replay` and `repair`: all files as one program whose first is the one that counts; `files`
/// is not empty.
ExplorationInput explorationOf(const std::vector<SourceFile>& files, const CommonOptions& common,
                               const Engine& engine, std::ostream& err);

/// The same for files that are chosen already.
ExplorationInput explorationOf(const ProgramFiles& files, const CommonOptions& common, const Engine& engine,
                               std::ostream& err);

}  // namespace heddle
