#include "analysis/compile/outer_switch.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include "analysis/support/name_words.h"
#include "analysis/support/word.h"

namespace heddle {
namespace {

constexpr size_t kMostOutside = 3;  // lines of code that may lie outside
constexpr size_t kLeastInside = 8;

/// Without comments: each becomes nothing but the ends of its lines.
std::string withoutComments(std::string_view text) {
  std::string kept;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : 0;
    if (quote != 0) {
      kept += c;
      if (c == '\\' && next != 0) kept += text[++i];
      if (c == quote || c == '\n') quote = 0;
    } else if (c == '/' && next == '*') {
      const size_t end = std::min(text.find("*/", i + 2), text.size());
      kept.append(
          std::count(text.begin() + static_cast<long>(i), text.begin() + static_cast<long>(end), '\n'), '\n');
      i = end + 1;
    } else if (c == '/' && next == '/') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else {
      if (c == '"' || c == '\'') quote = c;
      kept += c;
    }
  }
  return kept;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::string_view firstWord(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && isWordCharacter(text[end])) ++end;
  return text.substr(0, end);
}

/// The macro that `condition` asks for: "X", "defined(X)"; nothing: it is something else.
std::optional<std::string> askedFor(std::string_view condition) {
  condition = trimmed(condition);
  while (condition.starts_with('(') && condition.ends_with(')'))
    condition = trimmed(condition.substr(1, condition.size() - 2));
  if (firstWord(condition) == "defined") {
    condition = trimmed(condition.substr(7));
    if (condition.starts_with('(') && condition.ends_with(')'))
      condition = trimmed(condition.substr(1, condition.size() - 2));
  }
  const std::string_view word = firstWord(condition);
  if (word.empty() || word != condition || std::isdigit(static_cast<unsigned char>(word.front())))
    return std::nullopt;
  return std::string(word);
}

/// All that the condition needs; empty: it needs nothing that may be defined.
std::vector<std::string> neededBy(std::string_view condition) {
  std::vector<std::string> needed;
  if (condition.find("||") != std::string_view::npos) return {};
  while (!condition.empty()) {
    const size_t end = std::min(condition.find("&&"), condition.size());
    const std::string_view part = trimmed(condition.substr(0, end));
    condition.remove_prefix(std::min(end + 2, condition.size()));
    if (part.starts_with('!')) continue;  // it is not defined as it is
    const auto name = askedFor(part);
    if (!name || isOfSystem(*name)) return {};
    needed.push_back(*name);
  }
  return needed;
}

/// One of the macros that each would do; empty: it needs something else.
std::vector<std::string> enough(std::string_view condition) {
  if (condition.find("&&") != std::string_view::npos) return {};
  while (!condition.empty()) {
    const size_t end = std::min(condition.find("||"), condition.size());
    const auto name = askedFor(condition.substr(0, end));
    if (name && !isOfSystem(*name)) return {*name};
    condition.remove_prefix(std::min(end + 2, condition.size()));
  }
  return {};
}

/// What must be defined for the lines behind `#if condition`.
std::vector<std::string> definedFor(std::string_view condition) {
  return condition.find("||") == std::string_view::npos ? neededBy(condition) : enough(condition);
}

/// What must be defined for what stands behind the `#else` of a directive.
std::vector<std::string> definedBehindElse(std::string_view word, std::string_view condition) {
  if (word == "ifndef") return neededBy(condition);
  if (word != "if" || !condition.starts_with('!')) return {};
  condition.remove_prefix(1);
  return condition.find("&&") == std::string_view::npos ? neededBy(condition) : std::vector<std::string>{};
}

}  // namespace

std::vector<SwitchedLines> switchedLines(const std::string& text) {
  struct Open {
    std::vector<std::string> here, behindElse;
    uint32_t first = 0;
  };
  const std::string code = withoutComments(text);
  std::vector<SwitchedLines> found;
  std::vector<Open> open;
  uint32_t number = 0;
  bool isContinued = false;
  const auto close = [&] {
    Open& last = open.back();
    if (!last.here.empty() && last.first < number)
      found.push_back({std::exchange(last.here, {}), last.first, number - 1});
    last.here.clear();
  };
  for (std::string_view rest = code; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    const bool isInDirective = std::exchange(isContinued, line.ends_with('\\'));
    if (isInDirective || !line.starts_with('#')) continue;
    line = trimmed(line.substr(1));
    const std::string_view word = firstWord(line);
    const std::string_view condition = trimmed(line.substr(word.size()));
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      open.push_back({{}, {}, number + 1});
      if (isContinued) continue;
      if (word != "ifndef") open.back().here = definedFor(condition);
      open.back().behindElse = definedBehindElse(word, condition);
    } else if (open.empty()) {
      continue;
    } else if (word == "endif") {
      close();
      open.pop_back();
    } else if (word.starts_with("el")) {
      close();
      if (word == "else") open.back().here = std::exchange(open.back().behindElse, {});
      open.back().first = number + 1;
    }
  }
  return found;
}

bool isOfSystem(std::string_view name) {
  if (name.starts_with("__") || (name.starts_with("_") && name != "_GNU_SOURCE")) return true;
  std::string lower;
  for (const char c : name) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* part : {"win32",   "win64",    "windows", "apple",   "darwin",  "macos",      "solaris",
                           "android", "amiga",    "cygwin",  "mingw",   "haiku",   "vxworks",    "freertos",
                           "zephyr",  "rtthread", "arduino", "esp32",   "esp8266", "emscripten", "msdos",
                           "msvc",    "openvms",  "uclinux", "altivec", "kqueue",  "schannel"})
    if (lower.find(part) != std::string::npos) return true;
  return hasWord(name, {"win",     "sunos",     "bsd",   "freebsd", "openbsd", "netbsd",  "dragonfly", "mac",
                        "osx",     "ios",       "sun",   "aix",     "hpux",    "irix",    "qnx",       "os2",
                        "beos",    "vms",       "dos",   "arm",     "neon",    "aarch64", "arm64",     "ppc",
                        "powerpc", "mips",      "riscv", "s390",    "sparc",   "wasm",    "wasi",      "avr",
                        "esp",     "cplusplus", "objc",  "uefi",    "kernel"});
}

/// Nothing is gained by a look at other files, and their headers may be missing.
static bool mentionsThreads(const std::string& text) {
  constexpr std::array<std::string_view, 5> kHints = {"thread", "mutex", "atomic", "lock(", "Mutex"};
  return std::any_of(kHints.begin(), kHints.end(),
                     [&](std::string_view hint) { return text.find(hint) != std::string::npos; });
}

std::vector<std::string> outerSwitches(const std::string& text) {
  if (!mentionsThreads(text)) return {};
  const std::string code = withoutComments(text);
  struct Group {
    std::vector<std::string> needed;
    size_t lines = 0;
  };
  std::vector<Group> groups;  // those that lie in no other
  std::vector<std::string> defined;
  size_t depth = 0, outside = 0;
  bool isElse = false, isContinued = false;
  for (std::string_view rest = code; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty()) continue;
    const bool isInDirective = isContinued;
    isContinued = line.ends_with('\\');
    if (isInDirective && !line.starts_with('#')) continue;
    if (!line.starts_with('#')) {
      isContinued = false;
      ++(depth == 0 || isElse ? outside : groups.back().lines);
      continue;
    }
    line = trimmed(line.substr(1));
    const std::string_view word = firstWord(line);
    const std::string_view condition = trimmed(line.substr(word.size()));
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      if (depth++ == 0) {
        groups.emplace_back();
        if (word != "ifndef" && !isContinued) groups.back().needed = neededBy(condition);
      }
    } else if (word == "endif" && depth > 0) {
      if (--depth == 0) isElse = false;
    } else if ((word == "else" || word == "elif") && depth == 1) {
      isElse = true;
    } else if (word == "define" && depth == 0) {
      defined.emplace_back(firstWord(condition));
    }
  }
  const auto largest = std::max_element(groups.begin(), groups.end(),
                                        [](const Group& a, const Group& b) { return a.lines < b.lines; });
  if (largest == groups.end() || largest->lines < kLeastInside) return {};
  for (const Group& group : groups)
    if (&group != &*largest) outside += group.lines;
  const bool isSet =
      std::any_of(largest->needed.begin(), largest->needed.end(), [&](const std::string& name) {
        return std::find(defined.begin(), defined.end(), name) != defined.end();
      });
  return outside > kMostOutside || isSet ? std::vector<std::string>{} : largest->needed;
}

}  // namespace heddle
