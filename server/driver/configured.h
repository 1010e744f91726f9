// Configuration of the command line: the same `.heddle.yaml` files that hold in the editor. What the command
// line itself names counts more.
//
// Threading: reads files; any thread.
#pragma once

#include <iosfwd>
#include <string>

#include "server/driver/cli_options.h"

namespace heddle {

/// `common` with what the configuration files of `path` (absolute) set and the command line leaves open. A
/// mistake in such a file is one line on `err`, with its place, and what is right beside it counts.
CommonOptions withConfiguration(const CommonOptions& common, const std::string& path, std::ostream& err);

/// $XDG_CONFIG_HOME, else ~/.config; empty where the environment has neither.
std::string userConfigFolder();

}  // namespace heddle
