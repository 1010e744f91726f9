#include "server/driver/option_words.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace heddle {

std::optional<std::chrono::milliseconds> parseDuration(std::string_view text) {
  if (text == "0") return std::chrono::milliseconds(0);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number) || number < 0) return std::nullopt;
  const std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  const double scale = unit == "ms" ? 1 : unit == "s" ? 1000 : unit == "m" || unit == "min" ? 60'000 : 0;
  const double milliseconds = number * scale;
  if (scale == 0 || milliseconds > 1e12) return std::nullopt;
  // A tiny positive box must not turn into "none".
  return std::chrono::milliseconds(number == 0 ? 0 : std::max<int64_t>(1, std::llround(milliseconds)));
}

std::vector<std::string> splitBlanks(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t end = std::min(text.size(), text.find(' '));
    if (end != 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return words;
}

std::vector<std::string> splitCommas(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (const std::string& list : lists) {
    size_t begin = 0;
    while (begin <= list.size()) {
      const size_t end = std::min(list.size(), list.find(',', begin));
      if (end > begin) names.push_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return names;
}

}  // namespace heddle
