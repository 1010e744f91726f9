#include "server/render/terminal_style.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "server/convert/position_map.h"

namespace heddle {
namespace {

constexpr std::string_view kBold = "\033[1m", kRed = "\033[1;31m", kYellow = "\033[1;33m",
                           kGreen = "\033[1;32m", kCyan = "\033[1;36m", kPlain = "\033[0m";

struct SeverityWord {
  std::string_view word, colour;
  bool showsSource;
};

constexpr std::array<SeverityWord, 3> kSeverities = {
    {{": error: ", kRed, true}, {": warning: ", kYellow, true}, {": note: ", kCyan, false}}};

struct VerdictWord {
  std::string_view word, colour;
};

constexpr std::array<VerdictWord, 7> kVerdicts = {{{": verified: ", kGreen},
                                                   {": verified within bounds: ", kGreen},
                                                   {": violated: ", kRed},
                                                   {": incomplete: ", kYellow},
                                                   {": cancelled: ", kYellow},
                                                   {": unsupported", kYellow},
                                                   {": not explored: ", kRed}}};

struct LinePlace {
  std::string file;
  uint32_t line = 0, column = 0;  // 1-based; 0: not said
};

/// "FILE:LINE:COLUMN", "FILE:LINE" or "FILE".
LinePlace placeIn(std::string_view text) {
  LinePlace place;
  std::array<uint32_t, 2> numbers{};
  size_t count = 0;
  while (count < 2) {
    const size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) break;
    const std::string_view last = text.substr(colon + 1);
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(last.data(), last.data() + last.size(), number);
    if (error != std::errc() || end != last.data() + last.size()) break;
    numbers[count++] = number;
    text = text.substr(0, colon);
  }
  place.file = text;
  place.line = count == 2 ? numbers[1] : numbers[0];
  place.column = count == 2 ? numbers[0] : 0;
  return place;
}

/// The source's line, and below it a caret. Tabs stand as themselves in both, so the caret is where it
/// belongs whatever their width; bytes that go on a character of UTF-8 take no column.
std::string excerpt(const LinePlace& place, const SourceText& source) {
  if (place.line == 0) return "";
  const std::optional<std::string> text = source(place.file);
  if (!text) return "";
  const PositionMap map(*text);
  const std::string_view line = map.line(place.line - 1);
  if (line.find_first_not_of(" \t") == std::string_view::npos) return "";
  if (std::any_of(line.begin(), line.end(), [](char c) {
        return static_cast<unsigned char>(c) < ' ' && c != '\t';  // would steer the terminal
      }))
    return "";
  const std::string number = std::to_string(place.line);
  std::string out = "  " + number + " | " + std::string(line) + '\n';
  if (place.column == 0 || place.column > line.size() + 1) return out;
  std::string under;
  for (const char c : line.substr(0, place.column - 1))
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) under += c == '\t' ? '\t' : ' ';
  return out + "  " + std::string(number.size(), ' ') + " | " + under + std::string(kGreen) + "^" +
         std::string(kPlain) + '\n';
}

std::string styledLine(std::string_view line, const SourceText& source) {
  const auto colour = [](std::string_view how, std::string_view what) {
    return std::string(how) + std::string(what) + std::string(kPlain);
  };
  // Rows of tables and lists are indented; no message begins before the first severity.
  if (line.empty() || line.front() == ' ') return std::string(line) + '\n';
  const SeverityWord* found = nullptr;
  size_t first = std::string_view::npos;
  for (const SeverityWord& severity : kSeverities)
    if (const size_t at = line.find(severity.word); at < first) {
      first = at;
      found = &severity;
    }
  if (found != nullptr) {
    const std::string_view word = found->word.substr(2, found->word.size() - 3);
    const std::string_view message = line.substr(first + found->word.size());
    return colour(kBold, line.substr(0, first)) + ": " + colour(found->colour, word) + " " +
           std::string(message) + '\n' +
           (found->showsSource ? excerpt(placeIn(line.substr(0, first)), source) : "");
  }
  for (const VerdictWord& verdict : kVerdicts)
    if (const size_t at = line.find(verdict.word); at != std::string_view::npos) {
      const size_t end = verdict.word.ends_with(": ") ? verdict.word.size() - 2 : verdict.word.size();
      return std::string(line.substr(0, at)) + ": " +
             colour(verdict.colour, verdict.word.substr(2, end - 2)) + std::string(line.substr(at + end)) +
             '\n';
    }
  return std::string(line) + '\n';
}

}  // namespace

std::string styledForTerminal(const std::string& text, const SourceText& source) {
  std::string out;
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    out += styledLine(rest.substr(0, end), source);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return out;
}

}  // namespace heddle
