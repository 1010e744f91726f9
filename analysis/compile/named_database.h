// The compile command of a file in a database that the user names.
//
// Threading: reads files; pure otherwise.
#pragma once

#include <optional>
#include <string>

#include "analysis/compile/compile_command.h"

namespace heddle {

/// `folder`: holds compile_commands.json, or is that file. `path`: absolute. The command is filtered as any
/// other; nullopt: `problem` says in one line what is missing.
std::optional<CompileCommand> commandInDatabase(const std::string& folder, const std::string& path,
                                                std::string& problem);

}  // namespace heddle
