// Where this program is installed: what lies beside it is found from there.
//
// Threading: pure functions of the process; they read links of /proc.
#pragma once

#include <filesystem>
#include <string>

namespace heddle {

/// The program's file, absolute. In the self-contained archive the kernel runs the archive's own dynamic
/// linker; the program is then its launcher (server/package/launcher.c). Empty without /proc.
std::filesystem::path programPath();

/// What starts this very program again, also when its file was replaced by another version meanwhile; in the
/// self-contained archive, the launcher.
std::string commandToStartAgain();

/// As programPath, for the path that the kernel runs.
std::filesystem::path programPathFor(const std::filesystem::path& executable);

}  // namespace heddle
