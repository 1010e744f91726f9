#include "analysis/compile/shell_variables.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "analysis/compile/cmake_variables.h"
#include "analysis/compile/shell_text.h"
#include "analysis/support/word.h"

namespace heddle {
namespace {

constexpr size_t kMostShellValue = size_t{16} << 10;
constexpr size_t kMostShellKept = size_t{16} << 20;

BuildAnswer both(BuildAnswer a, BuildAnswer b) {
  if (a == BuildAnswer::No || b == BuildAnswer::No) return BuildAnswer::No;
  return a == BuildAnswer::Yes && b == BuildAnswer::Yes ? BuildAnswer::Yes : BuildAnswer::Unknown;
}

BuildAnswer inverse(BuildAnswer answer) {
  return answer == BuildAnswer::Unknown ? answer : buildAnswer(answer == BuildAnswer::No);
}

BuildAnswer oneOf(BuildAnswer a, BuildAnswer b) {
  return inverse(both(inverse(a), inverse(b)));
}

}  // namespace

ShellVariables::ShellVariables() {
  values_ = {{"host", "x86_64-pc-linux-gnu"},
             {"host_os", "linux-gnu"},
             {"host_cpu", "x86_64"},
             {"host_vendor", "pc"},
             {"target", "x86_64-pc-linux-gnu"},
             {"target_os", "linux-gnu"},
             {"target_cpu", "x86_64"},
             {"build", "x86_64-pc-linux-gnu"},
             {"build_os", "linux-gnu"},
             {"build_cpu", "x86_64"},
             {"cross_compiling", "no"},
             {"GCC", "yes"},
             {"CC", "gcc"},
             {"ac_cv_c_compiler_gnu", "yes"},
             {"ac_compiler_gnu", "yes"},
             {"ac_cv_prog_cc_c99", ""},
             {"ac_cv_c_bigendian", "no"},
             {"srcdir", "."},
             {"prefix", "NONE"},
             {"exec_prefix", "NONE"},
             {"CFLAGS", ""},
             {"CPPFLAGS", ""},
             {"LDFLAGS", ""},
             {"LIBS", ""}};
}

void ShellVariables::noteAssigned(const std::string& text) {
  for (size_t at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
    size_t begin = at;
    while (begin > 0 && isWordCharacter(text[begin - 1])) --begin;
    if (begin < at && assigned_.size() < 20'000) assigned_.insert(text.substr(begin, at - begin));
  }
}

void ShellVariables::set(const std::string& name, const std::string& value) {
  kept_ += name.size() + value.size();
  if (kept_ <= kMostShellKept)
    values_[name] = value.size() > kMostShellValue ? std::string(1, kUnknownValue) : value;
}

std::string ShellVariables::valueOf(const std::string& name) const {
  if (const auto known = values_.find(name); known != values_.end()) return known->second;
  // Nobody asks for anything special, and what is found is not known.
  const bool isAsked = name.starts_with("enable_") || name.starts_with("with_");
  const bool isFound = name.starts_with("ac_cv_");
  return isAsked || (!isFound && assigned_.contains(name)) ? "" : std::string(1, kUnknownValue);
}

std::string ShellVariables::expand(const std::string& word, bool keepsQuotes) const {
  std::string value;
  char quote = 0;
  for (size_t i = 0; i < word.size() && value.size() <= kMostShellValue; ++i) {
    const char c = word[i];
    if (c == '\\' && i + 1 < word.size() && quote != '\'') {
      value += word[++i];
    } else if (c == '`') {
      value += kUnknownValue;
      i = std::min(word.find('`', i + 1), word.size());
    } else if ((c == '"' || c == '\'') && (!quote || quote == c)) {
      quote = quote ? 0 : c;
      if (keepsQuotes) value += c;
    } else if (c != '$' || quote == '\'' || i + 1 >= word.size()) {
      value += c;
    } else if (isWordCharacter(word[i + 1])) {
      const std::string name = wordAt(word, i + 1);
      value += valueOf(name);
      i += name.size();
    } else if (word[i + 1] == '{') {
      const size_t end = std::min(word.find('}', i), word.size());
      const std::string name = wordAt(word, i + 2);
      const std::string how = word.substr(i + 2 + name.size(), end - std::min(end, i + 2 + name.size()));
      const std::string own = valueOf(name);
      if (how.empty())
        value += own;
      else if ((how.starts_with(":-") || how.starts_with(":=")) && isKnownValue(own))
        value += own.empty() ? expand(how.substr(2)) : own;
      else
        value += kUnknownValue;
      i = end;
    } else if (word[i + 1] == '(') {
      value += kUnknownValue;
      int depth = 0;
      for (++i; i < word.size(); ++i) {
        depth += word[i] == '(' ? 1 : word[i] == ')' ? -1 : 0;
        if (depth == 0) break;
      }
    } else {
      value += c;
    }
  }
  return value;
}

BuildAnswer ShellVariables::decideTest(const std::vector<std::string>& words, size_t begin,
                                       size_t end) const {
  // -o binds less than -a.
  for (const char* how : {"-o", "-a"})
    for (size_t i = begin + 1; i + 1 < end; ++i) {
      if (words[i] != how) continue;
      const BuildAnswer left = decideTest(words, begin, i), right = decideTest(words, i + 1, end);
      return std::string(how) == "-o" ? oneOf(left, right) : both(left, right);
    }
  if (begin >= end) return BuildAnswer::No;
  if (words[begin] == "!") return inverse(decideTest(words, begin + 1, end));
  const auto value = [&](size_t i) { return expand(words[i]); };
  if (end - begin == 1)
    return isKnownValue(value(begin)) ? buildAnswer(!value(begin).empty()) : BuildAnswer::Unknown;
  if (end - begin == 2 && (words[begin] == "-n" || words[begin] == "-z")) {
    const std::string own = value(begin + 1);
    const bool isSet = !own.empty() && own != std::string(1, kUnknownValue);
    if (!isKnownValue(own) && !isSet) return BuildAnswer::Unknown;
    return buildAnswer(own.empty() == (words[begin] == "-z"));
  }
  if (end - begin != 3) return BuildAnswer::Unknown;
  const std::string left = value(begin), how = words[begin + 1], right = value(begin + 2);
  if (!isKnownValue(left) || !isKnownValue(right)) return BuildAnswer::Unknown;
  if (how == "=" || how == "==") return buildAnswer(left == right);
  if (how == "!=") return buildAnswer(left != right);
  const long a = std::atol(left.c_str()), b = std::atol(right.c_str());
  if (how == "-eq") return buildAnswer(a == b);
  if (how == "-ne") return buildAnswer(a != b);
  if (how == "-gt") return buildAnswer(a > b);
  if (how == "-ge") return buildAnswer(a >= b);
  if (how == "-lt") return buildAnswer(a < b);
  if (how == "-le") return buildAnswer(a <= b);
  return BuildAnswer::Unknown;
}

BuildAnswer ShellVariables::decide(const std::string& condition) const {
  BuildAnswer answer = BuildAnswer::Unknown;
  char joined = 0;
  char quote = 0;
  for (size_t at = 0; at <= condition.size();) {
    size_t end = at;
    for (; end < condition.size(); ++end) {
      const char c = condition[end];
      if (c == '\\') {
        ++end;
      } else if (quote ? c == quote : c == '"' || c == '\'') {
        quote = quote ? 0 : c;
      } else if (!quote && (condition.compare(end, 2, "&&") == 0 || condition.compare(end, 2, "||") == 0)) {
        break;
      }
    }
    end = std::min(end, condition.size());
    std::string part = withoutBlanks(condition.substr(at, end - at));
    bool isInverse = false;
    while (part.starts_with("! ")) isInverse = !isInverse, part = withoutBlanks(part.substr(1));
    if (part.ends_with(';')) part.pop_back();
    std::vector<std::string> words = shellWords(part);
    BuildAnswer one = BuildAnswer::Unknown;
    if (words.size() == 1 && (words[0] == ":" || words[0] == "true")) one = BuildAnswer::Yes;
    if (words.size() == 1 && words[0] == "false") one = BuildAnswer::No;
    if (words.size() > 1 && words[0] == "[" && words.back() == "]") words.pop_back(), words[0] = "test";
    if (words.size() > 1 && words[0] == "test") one = decideTest(words, 1, words.size());
    if (isInverse) one = inverse(one);
    answer = joined == 0 ? one : joined == '&' ? both(answer, one) : oneOf(answer, one);
    if (end >= condition.size()) break;
    joined = condition[end];
    at = end + 2;
  }
  return answer;
}

}  // namespace heddle
