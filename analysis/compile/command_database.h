// Command database: reads one compile_commands.json, which may be damaged, huge or hostile.
//
// The file is scanned for top-level entries without building the whole document, so memory is bounded by one
// entry and a deeply nested file cannot exhaust the stack. Nothing is executed; `command` strings are split
// as a POSIX shell splits words, without any expansion.
//
// Threading: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace heddle {

struct DatabaseEntry {
  std::string directory;               // absolute
  std::vector<std::string> arguments;  // as written, with the compiler first
};

/// The entries of `database` for `path` (both absolute), in its order; some dozen at most. An absent file is
/// no problem; a damaged one is, and `problem` then says so in one line.
std::vector<DatabaseEntry> findInDatabase(const std::string& database, const std::string& path,
                                          std::string& problem);

/// The text of a regular file of at most `limit` bytes; nothing for anything else (devices and pipes would
/// block).
std::optional<std::string> readRegularFile(const std::string& path, size_t limit);

/// True if both name the same file, symbolic links resolved as far as the files exist.
bool samePath(const std::string& left, const std::string& right);

/// `path` made absolute against `directory` and lexically normal.
std::string absolutePath(const std::string& path, const std::string& directory);

}  // namespace heddle
