// What the tidy tests look at: the repository's own files, read once, and small helpers for text and Markdown
// tables.
//
// Paths are relative to the repository root, with '/'. Used by the tests of this folder only, on one thread.
#pragma once

#include <string>
#include <vector>

namespace heddle::tidy {

struct SourceFile {
  std::string path;
  std::string text;
};

/// All files below the given folders or files of the repository whose names end in one of `suffixes`, sorted
/// by path.
std::vector<SourceFile> readSources(const std::vector<std::string>& roots,
                                    const std::vector<std::string>& suffixes);

/// The text of one file of the repository; empty when it does not exist.
std::string readSource(const std::string& path);

bool existsInRepository(const std::string& path);

/// The C++ text without its comments; string literals and line breaks stay.
std::string withoutComments(const std::string& text);

std::vector<std::string> splitLines(const std::string& text);

using Row = std::vector<std::string>;

/// The rows of the first Markdown table whose header starts with `firstHeader`, without header and rule,
/// cells trimmed.
std::vector<Row> markdownTable(const std::string& markdown, const std::string& firstHeader);

/// The `words` in back quotes of a table cell.
std::vector<std::string> quotedWords(const std::string& cell);

/// One entry a line, for the message of a failed expectation.
std::string joined(const std::vector<std::string>& entries);

}  // namespace heddle::tidy
