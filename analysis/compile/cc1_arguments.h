// Front-end arguments: from a filtered CompileCommand to what `clang -cc1` would get from the driver.
//
// Why not the driver: it reads environment variables (CPATH ...), configuration files and GCC installations,
// which would make a report depend on more than text, flags and options; and it may start helper programs for
// some options. The list here is short, because the filter lets few options pass; an option not known here is
// ignored, so that a CompileCommand which bypassed the filter is harmless too.
//
// Threading: pure functions; they read no file except to look for Clang's resource directory.
#pragma once

#include <string>
#include <vector>

#include "analysis/compile/compile_command.h"

namespace heddle {

/// The directory with Clang's own headers (stddef.h ...): the one of the self-contained archive, the one
/// found at build time, else the usual places; empty if none.
std::string findResourceDirectory();

/// Arguments for the main file `path` (absolute), which the caller provides in memory. All paths come out
/// absolute, so that debug information names every file by its absolute path.
std::vector<std::string> cc1Arguments(const std::string& path, const CompileCommand& command,
                                      const std::string& resourceDirectory);

/// Arguments to compile those parts of a text that compile, when the whole does not. A function that nothing
/// declares may come from a missing header, so its result need not be an `int`.
std::vector<std::string> partialArguments(std::vector<std::string> arguments);

}  // namespace heddle
