// The command line as documents: a manual page, and scripts by which shells complete it. Both are made of the
// declarations that parse it, so they know what it takes.
//
// Threading: pure functions.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace heddle {

/// The manual page, in the macros of man(7).
std::string manualPage(const CLI::App& app);

/// `shell`: bash, zsh or fish; nullopt for others. Options that take a file, and words that are no option,
/// complete to files.
std::optional<std::string> completionScript(const CLI::App& app, const std::string& shell);

}  // namespace heddle
