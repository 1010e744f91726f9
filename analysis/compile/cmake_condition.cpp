// What CMake's if() finds, by three values: what depends on something that is not known is not known.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "analysis/compile/cmake_variables.h"

namespace heddle {
namespace {

using Arguments = std::vector<CMakeArgument>;

constexpr size_t kMostWords = 200;     // of one condition
constexpr size_t kMostPattern = 200;   // characters of a regular expression
constexpr size_t kMostSubject = 1000;  // characters that it is looked for in

BuildAnswer negated(BuildAnswer answer) {
  return answer == BuildAnswer::Unknown ? answer : buildAnswer(answer == BuildAnswer::No);
}

bool isNumber(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.-") == std::string::npos;
}

bool isTrueConstant(const std::string& value) {
  const std::string upper = upperCase(value);
  return upper == "1" || upper == "ON" || upper == "YES" || upper == "TRUE" || upper == "Y" ||
         (isNumber(value) && std::atof(value.c_str()) != 0);
}

std::vector<long> versionOf(const std::string& text) {
  std::vector<long> parts;
  for (size_t at = 0; at < text.size() && parts.size() < 8;) {
    char* end = nullptr;
    parts.push_back(std::strtol(text.c_str() + at, &end, 10));
    at = static_cast<size_t>(end - text.c_str());
    if (at >= text.size() || text[at] != '.') break;
    ++at;
  }
  while (!parts.empty() && parts.back() == 0) parts.pop_back();
  return parts;
}

/// What configure finds by looking, and what packages set, is not known where nothing has set it.
bool isOfAnother(const std::string& name) {
  return name.find("HAVE_") != std::string::npos || name.starts_with("PKG") || name.starts_with("CMAKE_");
}

/// Of regular expressions only alternatives of plain text, with '.', '^', '$' and ".*" at an end.
BuildAnswer matches(const std::string& subject, std::string pattern) {
  if (pattern.size() > kMostPattern || subject.size() > kMostSubject) return BuildAnswer::Unknown;
  if (pattern.starts_with('(') && pattern.find(')') == pattern.size() - 1)
    pattern = pattern.substr(1, pattern.size() - 2);
  bool isFound = false;
  for (size_t begin = 0; begin <= pattern.size();) {
    const size_t end = std::min(pattern.find('|', begin), pattern.size());
    std::string text = pattern.substr(begin, end - begin);
    begin = end + 1;
    const bool isAtBegin = text.starts_with('^'), isAtEnd = text.ends_with('$');
    text = text.substr(isAtBegin ? 1 : 0, text.size() - (isAtBegin ? 1 : 0) - (isAtEnd ? 1 : 0));
    bool isOpenBegin = !isAtBegin, isOpenEnd = !isAtEnd;
    if (text.starts_with(".*")) text.erase(0, 2), isOpenBegin = true;
    if (text.ends_with(".*")) text.resize(text.size() - 2), isOpenEnd = true;
    if (text.find_first_of("\\[](){}*+?^$") != std::string::npos) return BuildAnswer::Unknown;
    for (size_t at = 0; at + text.size() <= subject.size(); ++at) {
      const bool isAllowed = (isOpenBegin || at == 0) && (isOpenEnd || at + text.size() == subject.size());
      isFound |= isAllowed && std::equal(text.begin(), text.end(), subject.begin() + static_cast<long>(at),
                                         [](char a, char b) { return a == '.' || a == b; });
    }
  }
  return buildAnswer(isFound);
}

class Condition {
 public:
  Condition(const CMakeVariables& variables, const Arguments& words) : variables_(variables), words_(words) {}

  BuildAnswer decide() {
    const BuildAnswer answer = either(0);
    return at_ == words_.size() ? answer : BuildAnswer::Unknown;
  }

 private:
  bool isWord(const char* word) const {
    return at_ < words_.size() && words_[at_].kind == CMakeArgument::Kind::Bare && words_[at_].text == word;
  }
  bool take(const char* word) {
    if (!isWord(word)) return false;
    ++at_;
    return true;
  }

  /// A chain of parts with `word` between them, of which one that is `decisive` decides.
  BuildAnswer chain(const char* word, BuildAnswer decisive, BuildAnswer (Condition::*part)(int), int depth) {
    BuildAnswer left = (this->*part)(depth);
    while (take(word)) {
      const BuildAnswer right = (this->*part)(depth);
      if (left == decisive || right == decisive)
        left = decisive;
      else if (left == BuildAnswer::Unknown || right == BuildAnswer::Unknown)
        left = BuildAnswer::Unknown;
    }
    return left;
  }
  BuildAnswer either(int depth) { return chain("OR", BuildAnswer::Yes, &Condition::both, depth); }
  BuildAnswer both(int depth) { return chain("AND", BuildAnswer::No, &Condition::one, depth); }

  BuildAnswer one(int depth) {
    if (depth > 40 || at_ >= words_.size()) return BuildAnswer::Unknown;
    if (take("NOT")) return negated(one(depth + 1));
    if (take("(")) {
      const BuildAnswer inside = either(depth + 1);
      return take(")") ? inside : BuildAnswer::Unknown;
    }
    if (isWord("DEFINED") && at_ + 1 < words_.size()) {
      ++at_;
      const std::string& name = words_[at_++].text;
      const std::string* const known = variables_.find(name);
      if (known) return isKnownValue(*known) ? BuildAnswer::Yes : BuildAnswer::Unknown;
      return isOfAnother(name) ? BuildAnswer::Unknown : BuildAnswer::No;
    }
    for (const char* test : {"EXISTS", "COMMAND", "TARGET", "POLICY", "TEST", "IS_DIRECTORY", "IS_ABSOLUTE"})
      if (isWord(test) && at_ + 1 < words_.size()) {
        at_ += 2;
        return BuildAnswer::Unknown;
      }
    const CMakeArgument& left = words_[at_++];
    if (at_ + 1 < words_.size() && words_[at_].kind == CMakeArgument::Kind::Bare)
      if (const auto answer = compared(left, words_[at_].text, words_[at_ + 1])) {
        at_ += 2;
        return *answer;
      }
    return truthOf(left);
  }

  /// As a comparison takes it: the value of the variable that it names, else itself.
  std::string valueOf(const CMakeArgument& word) const {
    if (word.kind != CMakeArgument::Kind::Bare) return word.text;
    const std::string* const known = variables_.find(word.text);
    return known ? *known : word.text;
  }

  std::optional<BuildAnswer> compared(const CMakeArgument& first, const std::string& how,
                                      const CMakeArgument& second) const {
    constexpr std::array<const char*, 5> kOrders = {"EQUAL", "LESS", "GREATER", "LESS_EQUAL",
                                                    "GREATER_EQUAL"};
    const std::string left = valueOf(first), right = valueOf(second);
    const bool isKnown = isKnownValue(left) && isKnownValue(right);
    const auto by = [&](int order, const std::string& name) {
      const bool is = name == "EQUAL" || name == "STREQUAL"             ? order == 0
                      : name == "LESS" || name == "STRLESS"             ? order < 0
                      : name == "GREATER" || name == "STRGREATER"       ? order > 0
                      : name == "LESS_EQUAL" || name == "STRLESS_EQUAL" ? order <= 0
                                                                        : order >= 0;
      return isKnown ? buildAnswer(is) : BuildAnswer::Unknown;
    };
    if (how == "MATCHES") return isKnown ? matches(left, second.text) : BuildAnswer::Unknown;
    if (how == "IN_LIST") {
      const std::string* const list = variables_.find(second.text);
      if (!isKnownValue(left) || (list && !isKnownValue(*list))) return BuildAnswer::Unknown;
      const std::vector<std::string> parts = list ? listOf(*list) : std::vector<std::string>();
      return buildAnswer(std::find(parts.begin(), parts.end(), left) != parts.end());
    }
    for (const char* order : kOrders) {
      if (how == order) {
        const double a = std::atof(left.c_str()), b = std::atof(right.c_str());
        if (isKnown && (!isNumber(left) || !isNumber(right))) return BuildAnswer::No;
        return by(a < b ? -1 : a > b ? 1 : 0, how);
      }
      if (how == std::string("STR") + order) return by(left.compare(right), how);
      if (how == std::string("VERSION_") + order) {
        if (left.empty() || right.empty()) return BuildAnswer::Unknown;
        const std::vector<long> a = versionOf(left), b = versionOf(right);
        return by(a < b ? -1 : a > b ? 1 : 0, order);
      }
    }
    return std::nullopt;
  }

  BuildAnswer truthOf(const CMakeArgument& word) const {
    if (!isKnownValue(word.text)) return BuildAnswer::Unknown;
    if (isTrueConstant(word.text)) return BuildAnswer::Yes;
    if (word.kind != CMakeArgument::Kind::Bare || isFalseForCMake(word.text)) return BuildAnswer::No;
    const std::string* const value = variables_.find(word.text);
    if (!value) return isOfAnother(word.text) ? BuildAnswer::Unknown : BuildAnswer::No;
    return isKnownValue(*value) ? buildAnswer(!isFalseForCMake(*value)) : BuildAnswer::Unknown;
  }

  const CMakeVariables& variables_;
  const Arguments& words_;
  size_t at_ = 0;
};

}  // namespace

BuildAnswer CMakeVariables::decide(const std::vector<CMakeArgument>& condition) const {
  Arguments words;
  for (const CMakeArgument& argument : condition) {
    // A bare variable that is empty leaves nothing, but one that is not known leaves one word.
    if (argument.kind == CMakeArgument::Kind::Bare) {
      const std::string value = expand(argument.text);
      if (!isKnownValue(value))
        words.push_back({value, argument.kind});
      else
        for (std::string& part : listOf(value)) words.push_back({std::move(part), argument.kind});
    } else {
      words.push_back({argument.kind == CMakeArgument::Kind::Quoted ? expand(argument.text) : argument.text,
                       argument.kind});
    }
    if (words.size() > kMostWords) return BuildAnswer::Unknown;
  }
  return words.empty() ? BuildAnswer::No : Condition(*this, words).decide();
}

}  // namespace heddle
