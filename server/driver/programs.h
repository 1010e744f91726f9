// Programs: which of the files of one command line make up which program.
//
// Threading: pure functions.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "server/driver/source_file.h"

namespace heddle {

struct ProgramFiles {
  const SourceFile* first = nullptr;      // defines the entry point
  std::vector<const SourceFile*> others;  // linked to it
  bool onlyNeeded = false;                // of the others, those that define what is missing
  bool areNear = false;                   // nobody has named the others: what does not compile is left out
};

/// Whether the compiled file defines the entry point; nullopt: it does not compile.
using DefinesEntry = std::function<std::optional<bool>(const SourceFile&)>;

/// One program for each file that defines `entry` (or, where none does, has a harness), with the files that
/// do not. When all do, each file stands for itself; when none does, each stands for itself with what it
/// needs of the others. The preprocessor decides what a file defines, so the text counts only where a file
/// does not compile; a single file is not asked about.
std::vector<ProgramFiles> programsOf(const std::vector<SourceFile>& files, const std::string& entry,
                                     const DefinesEntry& defines);

/// All files as one program whose first is the one that counts; `files` is not empty. `onlyNeeded`: see
/// ProgramFiles.
ProgramFiles programOf(const std::vector<SourceFile>& files, bool onlyNeeded = false);

}  // namespace heddle
