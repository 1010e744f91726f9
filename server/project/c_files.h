// CFiles: the C files of a tree, and what their paths say of them.
//
// Threading: any thread; reads folders.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace heddle {

/// Paths below the folder in no order, at most `most`; what is hidden is left out, and folders that cannot be
/// read are empty. `ending`: what their names end with.
std::vector<std::string> cFilesBelow(const std::filesystem::path& folder, size_t most,
                                     const std::string& ending = ".c");

/// By its name and its folder's, it is for a system other than Linux, or for one processor: `unix/cygwin.c`,
/// `macos/thread.c`.
bool isOfOtherSystem(const std::filesystem::path& file);

/// By a folder's name between `root` and the file, it tries or shows the project and is no part of it:
/// `tests/`, `examples/`.
bool isBesideProject(const std::filesystem::path& file, const std::filesystem::path& root);

}  // namespace heddle
