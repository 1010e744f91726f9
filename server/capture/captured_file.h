// CapturedFile: the compile_commands.json that `heddle capture` writes.
//
// Such a file is known by its form: one entry on a line, keys in our order, as nothing else writes it. A key
// of our own would tell more plainly, but Clang's tools refuse a file with keys that they do not know.
//
// Threading: pure functions, except where files are named.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/capture/compiler_call.h"

namespace heddle {

/// The text of a file with these entries.
std::string capturedText(const std::vector<CapturedEntry>& entries);

/// The entries of a text that capturedText() has made; nothing for any other text.
std::optional<std::vector<CapturedEntry>> capturedEntries(const std::string& text);

/// `seen`, and of `before` what is no older version of it: the same source with the same output. Entries
/// whose source is not there any more are left out. Sorted by source, and each once.
std::vector<CapturedEntry> mergedEntries(const std::vector<CapturedEntry>& before,
                                         const std::vector<CapturedEntry>& seen);

/// How many sources the entries have.
size_t sourcesOf(const std::vector<CapturedEntry>& entries);

/// All of the text or, where that fails, nothing of it: a reader never meets half a file. Whether it is
/// written.
bool replaceFile(const std::string& path, const std::string& text);

}  // namespace heddle
