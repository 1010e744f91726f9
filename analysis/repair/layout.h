// Layout: where new lines go and how far they are indented, if no .clang-format decides it.
//
// It looks only at white space and comments; the syntax tree says what a statement is.
// Threading: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heddle {

/// The white space in front of the line that holds `at`.
std::string indentAt(std::string_view text, size_t at);

/// One step of indentation of the file: a tab, or as many spaces as its first indented line has (else four).
std::string indentUnit(std::string_view text);

/// Only white space stands before `at` on its line.
bool startsLine(std::string_view text, size_t at);

/// The end of the line of `at` if only white space and comments that end on the line follow, so that a
/// comment stays with the code that it is about; otherwise npos.
size_t endOfLine(std::string_view text, size_t at);

/// The bytes [begin, end) of a text.
struct TextRange {
  size_t begin = 0, end = 0;
};
/// The range [begin, end) extended to whole lines if nothing else stands on them; otherwise unchanged.
TextRange wholeLines(std::string_view text, size_t begin, size_t end);

/// Several lines, with `indent` before each line except the first.
std::string aligned(const std::string& lines, const std::string& indent);

/// The text to insert in order to add a line before a statement at `at`: the line, then the white space
/// that puts the statement where it was.
std::string lineBefore(std::string_view text, size_t at, const std::string& line);

struct Insertion {
  size_t at = 0;
  std::string text;
};
/// The insertion that adds lines after a statement that begins at `begin` and ends at `end`.
Insertion linesAfter(std::string_view text, size_t begin, size_t end, const std::string& line);

/// The end of the token before `at` if only white space stands between them; otherwise (a comment) `at`
/// itself.
size_t endOfTokenBefore(std::string_view text, size_t at);

}  // namespace heddle
