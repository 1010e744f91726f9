// Changed files: which files of a working tree differ from a revision, as git tells it.
//
// Runs `git`, on request only, without hooks, monitors, external diffs and text conversions of the
// repository.
//
// Threading: any thread.
#pragma once

#include <optional>
#include <set>
#include <string>

namespace heddle {

/// Absolute paths of files that differ from `revision` or are not tracked. nullopt: `problem` is one line.
std::optional<std::set<std::string>> changedSince(const std::string& folder, const std::string& revision,
                                                  std::string& problem);

}  // namespace heddle
