#include "analysis/compile/older_system.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "analysis/support/word.h"

namespace heddle {
namespace {

/// The word that begins at `at`, behind blanks; `at` is moved behind it.
std::string_view nextWordOf(std::string_view text, size_t& at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  const size_t begin = at;
  while (at < text.size() && isWordCharacter(text[at])) ++at;
  return text.substr(begin, at - begin);
}

/// Behind `at`, on this line or a later one, a static function of the name begins.
bool definesStatic(std::string_view text, size_t at, std::string_view name) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
  if (nextWordOf(text, at) != "static") return false;
  const size_t end = std::min(text.find_first_of(";{#", at), text.size());
  const size_t named = text.substr(0, end).find(name, at);
  if (named == std::string_view::npos || isWordCharacter(text[named - 1])) return false;
  size_t behind = named + name.size();
  if (behind < end && isWordCharacter(text[behind])) return false;
  while (behind < end && std::isspace(static_cast<unsigned char>(text[behind]))) ++behind;
  return behind < end && text[behind] == '(';
}

}  // namespace

bool isGoneHeader(std::string_view name) {
  constexpr std::array<std::string_view, 3> kGone = {"stropts.h", "sys/sysctl.h", "sys/ustat.h"};
  return std::find(kGone.begin(), kGone.end(), name) != kGone.end();
}

std::set<std::string> ownUnlessMacro(const std::string& text) {
  constexpr std::string_view kUnless = "ifndef";
  std::set<std::string> functions;
  for (size_t at = text.find(kUnless); at != std::string::npos; at = text.find(kUnless, at)) {
    at += kUnless.size();
    const std::string_view name = nextWordOf(text, at);
    const size_t line = text.find('\n', at);
    if (name.empty() || line == std::string::npos) continue;
    if (definesStatic(text, line, name)) functions.emplace(name);
  }
  return functions;
}

}  // namespace heddle
