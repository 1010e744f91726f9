// How the values of options and settings are written: times and lists.
//
// Threading: pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// "500ms", "10s", "1.5m" or "0"; nullopt when it is none of these.
std::optional<std::chrono::milliseconds> parseDuration(std::string_view text);

/// "1 -v" → {"1", "-v"}.
std::vector<std::string> splitBlanks(std::string_view text);

/// Lists separated by commas, also over several options.
std::vector<std::string> splitCommas(const std::vector<std::string>& lists);

/// {"a", "b"} → "a, b".
template <typename Names>
std::string withCommas(const Names& names) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

}  // namespace heddle
