// Programs: which of the files of one command line make up which program.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <vector>

#include "server/driver/source_file.h"

namespace heddle {

struct ProgramFiles {
  const SourceFile* first = nullptr;      // defines the entry point
  std::vector<const SourceFile*> others;  // linked to it
  bool onlyNeeded = false;                // of the others, those that define what is missing
};

/// One program for each file that defines `entry` (or has a harness), with the files that do not. When none
/// or all do, each file stands for itself. By the text alone: an entry point that a macro makes is not seen.
std::vector<ProgramFiles> programsOf(const std::vector<SourceFile>& files, const std::string& entry);

/// All files as one program whose first is the one that counts; `files` is not empty.
ProgramFiles programOf(const std::vector<SourceFile>& files);

}  // namespace heddle
