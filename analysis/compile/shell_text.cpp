#include "analysis/compile/shell_text.h"

#include <algorithm>
#include <cctype>

#include "analysis/support/word.h"

namespace heddle {
namespace {

size_t lineEnd(const std::string& text, size_t at) {
  return std::min(text.find('\n', at), text.size());
}

/// Behind the text in quotes, the command in `$(…)` or the like that begins at `at`; `at`: nothing does.
size_t behindQuoted(const std::string& text, size_t at) {
  const char c = text[at];
  if (c == '\\') return std::min(at + 2, text.size());
  if (c == '\'') return std::min(text.find('\'', at + 1), text.size() - 1) + 1;
  if (c == '"' || c == '`') {
    size_t end = at + 1;
    while (end < text.size() && text[end] != c) end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
  }
  if (c == '$' && at + 1 < text.size() && (text[at + 1] == '(' || text[at + 1] == '{')) {
    const char open = text[at + 1], close = open == '(' ? ')' : '}';
    int depth = 0;
    for (size_t end = at + 1; end < text.size(); ++end) {
      depth += text[end] == open ? 1 : text[end] == close ? -1 : 0;
      if (depth == 0) return end + 1;
    }
    return text.size();
  }
  if (c == '[') {
    int depth = 0;
    for (size_t end = at; end < text.size(); ++end) {
      depth += text[end] == '[' ? 1 : text[end] == ']' ? -1 : 0;
      if (depth == 0) return end + 1;
    }
    return at + 1;
  }
  return at;
}

}  // namespace

std::string withoutBlanks(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

std::string wordAt(const std::string& text, size_t at) {
  size_t end = at;
  while (end < text.size() && isWordCharacter(text[end])) ++end;
  return text.substr(at, end - at);
}

std::vector<std::string> macroArguments(const std::string& text, size_t& at) {
  std::vector<std::string> arguments(1);
  int quotes = 0, parentheses = 0;
  bool isBegun = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quotes == 0) {
      if (c == '(' && parentheses++ == 0) continue;
      if (c == ')' && --parentheses == 0) {
        ++at;
        break;
      }
      if (c == ',' && parentheses == 1) {
        arguments.emplace_back();
        isBegun = false;
        continue;
      }
      if (text.compare(at, 3, "dnl") == 0 && !isWordCharacter(text[at - 1]) &&
          (at + 3 >= text.size() || !isWordCharacter(text[at + 3]))) {
        at = lineEnd(text, at);
        continue;
      }
      if (!isBegun && std::isspace(static_cast<unsigned char>(c))) continue;
    }
    isBegun = true;
    if (c == '[' && quotes++ == 0) continue;
    if (c == ']' && quotes > 0 && --quotes == 0) continue;
    arguments.back() += c;
  }
  return arguments;
}

std::string withArguments(const std::string& body, const std::vector<std::string>& arguments) {
  constexpr size_t kMost = size_t{256} << 10;
  std::string text;
  for (size_t i = 0; i < body.size() && text.size() < kMost; ++i) {
    const char next = body[i] == '$' && i + 1 < body.size() ? body[i + 1] : '\0';
    if (next >= '1' && next <= '9') {
      const auto index = static_cast<size_t>(next - '1');
      if (index < arguments.size()) text += arguments[index];
      ++i;
    } else if (next == '*' || next == '@') {
      for (const std::string& argument : arguments) text += argument + ", ";
      ++i;
    } else if (next == '#') {
      text += std::to_string(arguments.size());
      ++i;
    } else {
      text += body[i];
    }
  }
  return text;
}

size_t findCommand(const std::string& text, size_t at, const std::vector<std::string_view>& words,
                   const IsMacro& isMacro) {
  int depth = 0;
  bool isCommand = true;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '\n' || c == ';' || c == '&' || c == '|' || c == '(' || c == ')' || c == '{' || c == '!') {
      isCommand = true;
      ++at;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at;
    } else if (c == '#' && (at == 0 || std::isspace(static_cast<unsigned char>(text[at - 1])))) {
      at = lineEnd(text, at);
    } else if (const size_t behind = behindQuoted(text, at); behind != at) {
      at = behind;
      isCommand = false;
    } else if (isWordCharacter(c)) {
      const std::string word = wordAt(text, at);
      size_t next = at + word.size();
      const bool isWhole =
          next >= text.size() || (text[next] != '=' && text[next] != '-' && text[next] != '.');
      if (word == "dnl") {
        at = lineEnd(text, at);
        continue;
      }
      if (isMacro(word)) {
        if (next < text.size() && text[next] == '(') macroArguments(text, next);
        at = next;
        isCommand = true;
        continue;
      }
      if (isCommand && isWhole) {
        if (depth == 0 && std::find(words.begin(), words.end(), word) != words.end()) return at;
        if (word == "if" || word == "case" || word == "for" || word == "while" || word == "until") ++depth;
        if (word == "fi" || word == "esac" || word == "done") --depth;
        isCommand = word == "then" || word == "else" || word == "elif" || word == "do" || word == "if" ||
                    word == "while" || word == "until";
      } else {
        isCommand = false;
      }
      at = next;
    } else {
      ++at;
      isCommand = false;
    }
  }
  return text.size();
}

size_t endOfCommand(const std::string& text, size_t at, const IsMacro& isMacro) {
  while (at < text.size() && text[at] != '\n' && text[at] != ';') {
    if (const size_t behind = behindQuoted(text, at); behind != at) {
      at = behind;
    } else if (isWordCharacter(text[at])) {
      const std::string word = wordAt(text, at);
      if (word == "dnl") return at;
      at += word.size();
      if (at < text.size() && text[at] == '(' && isMacro(word)) macroArguments(text, at);
    } else if (text[at] == '#' && at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) {
      return at;
    } else {
      ++at;
    }
  }
  return at;
}

std::vector<std::string> shellWords(const std::string& text) {
  constexpr size_t kMostWords = 100;
  std::vector<std::string> words;
  bool isOpen = false;
  char quote = 0;
  for (size_t i = 0; i < text.size() && words.size() < kMostWords; ++i) {
    const char c = text[i];
    // A backslash in front of its end goes on with the next line.
    if (c == '\\' && i + 1 < text.size() && text[i + 1] == '\n') {
      ++i;
      continue;
    }
    if (!quote && std::isspace(static_cast<unsigned char>(c))) {
      isOpen = false;
      continue;
    }
    if (!isOpen) words.emplace_back();
    isOpen = true;
    words.back() += c;
    if (c == '\\' && i + 1 < text.size()) {
      words.back() += text[++i];
    } else if (quote ? c == quote : c == '"' || c == '\'' || c == '`') {
      quote = quote ? 0 : c;
    }
  }
  return words;
}

bool isShellMatch(const std::string& pattern, const std::string& text) {
  size_t p = 0, t = 0, star = std::string::npos, taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      taken = t;
    } else if (p < pattern.size() && (pattern[p] == text[t] || pattern[p] == '?')) {
      ++p, ++t;
    } else if (star != std::string::npos) {
      p = star;
      t = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace heddle
