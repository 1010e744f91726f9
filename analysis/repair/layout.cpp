#include "analysis/repair/layout.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr std::string_view kBlank = " \t";

size_t lineBegin(std::string_view text, size_t at) {
  const size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

size_t lineEnd(std::string_view text, size_t at) {
  size_t end = std::min(text.find('\n', at), text.size());
  if (end > at && text[end - 1] == '\r') --end;
  return end;
}

}  // namespace

std::string aligned(const std::string& lines, const std::string& indent) {
  std::string out;
  for (const char c : lines) out += c == '\n' ? "\n" + indent : std::string(1, c);
  return out;
}

std::string indentAt(std::string_view text, size_t at) {
  const size_t begin = lineBegin(text, at);
  const size_t end = std::min({text.find_first_not_of(kBlank, begin), text.size(), at});
  return std::string(text.substr(begin, std::max(begin, end) - begin));
}

std::string indentUnit(std::string_view text) {
  size_t at = 0;
  char last = 0;  // of the line before
  while (at < text.size()) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const size_t blank = std::min(line.find_first_not_of(kBlank), line.size());
    // The first line of a block says it; other indented lines may only be aligned.
    if (last == '{' && blank > 0 && blank < line.size()) {
      if (line[0] == '\t') return "\t";
      if (blank <= 8) return std::string(blank, ' ');
    }
    const size_t used = line.find_last_not_of(" \t\r");
    if (used != std::string_view::npos) last = line[used];
    at = end + 1;
  }
  return std::string(4, ' ');
}

bool startsLine(std::string_view text, size_t at) {
  return text.substr(lineBegin(text, at), at - lineBegin(text, at)).find_first_not_of(kBlank) ==
         std::string_view::npos;
}

size_t endOfLine(std::string_view text, size_t at) {
  const size_t end = lineEnd(text, at);
  std::string_view rest = text.substr(at, end - at);
  while (true) {
    const size_t used = rest.find_first_not_of(kBlank);
    if (used == std::string_view::npos) return end;
    rest.remove_prefix(used);
    if (rest.starts_with("//")) return rest.ends_with('\\') ? std::string_view::npos : end;
    if (!rest.starts_with("/*")) return std::string_view::npos;
    const size_t close = rest.find("*/", 2);
    if (close == std::string_view::npos) return std::string_view::npos;
    rest.remove_prefix(close + 2);
  }
}

TextRange wholeLines(std::string_view text, size_t begin, size_t end) {
  const size_t stop = lineEnd(text, end);
  if (!startsLine(text, begin) ||
      text.substr(end, stop - end).find_first_not_of(kBlank) != std::string_view::npos)
    return {begin, end};
  const size_t newline = text.find('\n', stop);
  return {lineBegin(text, begin), newline == std::string_view::npos ? text.size() : newline + 1};
}

std::string lineBefore(std::string_view text, size_t at, const std::string& line) {
  const std::string indent = indentAt(text, at);
  return startsLine(text, at) ? aligned(line, indent) + "\n" + indent : line + " ";
}

Insertion linesAfter(std::string_view text, size_t begin, size_t end, const std::string& line) {
  const size_t stop = endOfLine(text, end);
  if (stop == std::string_view::npos) return {end, " " + line};
  const std::string indent = indentAt(text, begin);
  return {stop, "\n" + indent + aligned(line, indent)};
}

size_t endOfTokenBefore(std::string_view text, size_t at) {
  size_t end = at;
  while (end > 0 && (kBlank.find(text[end - 1]) != std::string_view::npos || text[end - 1] == '\n' ||
                     text[end - 1] == '\r'))
    --end;
  if (end >= 2 && text.substr(end - 2, 2) == "*/") return at;
  // A line comment may stand there; "//" inside a string only costs a nicer layout.
  const size_t line = lineBegin(text, end);
  return text.substr(line, end - line).find("//") == std::string_view::npos ? end : at;
}

}  // namespace heddle
