// SizeConstants: the constants of a program's own texts that say how often its loops go round, and the same
// program with other values of them.
//
// A constant is a macro (`#define WORKERS 16`, `-DWORKERS=16`), an enumerator or a `const` variable whose
// value is an integer literal. It counts as a size if a loop's condition in a reached function depends on it,
// as the text shows: by itself, through macros, variables, fields, or a parameter that it is passed for. Own
// texts are the files of the program and the headers that they include in quotes and that are found beside
// them or by -I.
//
// Total: any text gives some answer. Names are not resolved by scope, so a constant too many may count as a
// size.
//
// Threading: pure functions that read headers from disk, except overlays.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

struct SizeConstant {
  std::string name;
  int64_t written = 0;
  SourcePlace place;  // of its first definition; without a file for one of the command line
};

/// Constants above 2 that bound loops, by name. `reached`: as in Report; empty: all functions count.
std::vector<SizeConstant> sizeConstants(const Snapshot& snapshot, const std::vector<SourcePlace>& reached);

/// The program with other values of these constants; nothing if one of them is not among its constants. Lines
/// stay what they are, and columns do where a new value is no longer than the old one.
std::optional<Snapshot> withSizes(Snapshot snapshot, const std::map<std::string, int64_t>& values);

/// The report is of a program with these sizes: it assumes them, and is verified within bounds at most.
void assumeSizes(Report& report, const std::map<std::string, int64_t>& values);

/// "with JOBS = 2 and WORKERS = 3".
std::string sizesText(const std::vector<ChosenSize>& sizes);

}  // namespace heddle
