#include "analysis/compile/makefile_targets.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "analysis/compile/build_switches.h"
#include "analysis/support/word.h"

namespace heddle {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";
constexpr size_t kMostMakeText = size_t{64} << 10;  // of one list of files
constexpr size_t kMostMakeTargets = 2'000;

std::string trimmedText(const std::string& text) {
  const size_t begin = text.find_first_not_of(kSpaces);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(kSpaces) + 1 - begin);
}

/// As Automake makes the name of a variable of a program's.
std::string canonical(std::string name) {
  for (char& c : name)
    if (!isWordCharacter(c) && c != '@') c = '_';
  return name;
}

/// The parenthesis or brace that closes the one at `at`; npos: none does.
size_t closeOf(const std::string& text, size_t at) {
  const char open = text[at], close = open == '(' ? ')' : '}';
  int depth = 0;
  for (; at < text.size(); ++at) {
    depth += text[at] == open ? 1 : text[at] == close ? -1 : 0;
    if (depth == 0) return at;
  }
  return std::string::npos;
}

/// The C file that a word stands for: itself, or that of its object file; empty: it is none.
std::string sourceOf(std::string word) {
  // What configure puts in is the folder of the sources.
  if (word.starts_with('@') && word.find('@', 1) != std::string::npos) {
    word.erase(0, word.find('@', 1) + 1);
    if (word.starts_with('/')) word.erase(0, 1);
  }
  if (word.ends_with(".c")) return word;
  for (const char* ending : {".o", ".lo", ".$(OBJEXT)", ".$(O)", ".@o@"})
    if (word.ends_with(ending)) return word.substr(0, word.rfind('.')) + ".c";
  return "";
}

class Makefile {
 public:
  explicit Makefile(const std::string& text) : lines_(logicalLines(text)), plain_(plainVariables(lines_)) {
    for (const std::string& line : lines_) read(line);
  }

  std::vector<BuildTarget> targets() {
    addAutomake();
    addRules();
    return std::move(targets_);
  }

 private:
  struct Line {
    std::string text;
    std::vector<std::string> of;  // the targets of its rule
    bool isCommand = false;
  };

  void read(const std::string& line) {
    const std::string text = trimmedText(line);
    if (text.empty() || text[0] == '#') return;
    if (line[0] == '\t') {
      if (depth_ == 0 && !rule_.empty()) inRules_.push_back({text, rule_, true});
      return;
    }
    const int change = conditionChange(text);
    depth_ = std::max(0, depth_ + change);
    if (change != 0) return;
    // "NAME = value" and "NAME += value"; lists hold for any condition.
    size_t end = 0;
    while (end < text.size() && (isWordCharacter(text[end]) || text[end] == '@')) ++end;
    const size_t how = std::min(text.find_first_not_of(kSpaces, end), text.size());
    const size_t equal = text.find('=', how);
    if (end > 0 && equal != std::string::npos && equal - how <= 2 &&
        text.substr(how, equal - how).find_first_not_of(":+?") == std::string::npos) {
      const auto [known, isNew] = values_.try_emplace(text.substr(0, end));
      if (isNew) order_.push_back(known->first);
      std::string& value = known->second;
      if (value.size() < kMostMakeText) value += " " + text.substr(equal + 1);
      if (depth_ == 0) flags_[text.substr(0, end)] += " " + text.substr(equal + 1);
      return;
    }
    size_t colon = 0;
    while (colon < text.size() && text[colon] != ':') {
      const bool isVariable =
          text[colon] == '$' && colon + 1 < text.size() && (text[colon + 1] == '(' || text[colon + 1] == '{');
      const size_t close = isVariable ? closeOf(text, colon + 1) : std::string::npos;
      colon = close == std::string::npos ? colon + 1 : close + 1;
    }
    if (colon == text.size() || text.compare(colon, 2, ":=") == 0) return;
    rule_ = wordsOf(expanded(text.substr(0, colon), 0), kSpaces);
    const std::string rest = trimmedText(text.substr(text.find_first_not_of(':', colon) == std::string::npos
                                                         ? text.size()
                                                         : text.find_first_not_of(':', colon)));
    if (rest.find('=') != std::string::npos) {
      if (depth_ == 0) inRules_.push_back({rest, rule_, false});
      return;
    }
    for (const std::string& target : rule_) needs_[target] += " " + rest.substr(0, rest.find(';'));
  }

  std::string expanded(const std::string& text, int depth) const {
    std::string value;
    for (size_t at = 0; at < text.size() && value.size() < kMostMakeText; ++at) {
      const bool isVariable =
          text[at] == '$' && at + 1 < text.size() && (text[at + 1] == '(' || text[at + 1] == '{');
      const size_t end = isVariable ? closeOf(text, at + 1) : std::string::npos;
      if (end == std::string::npos) {
        value += text[at];
        continue;
      }
      // "$(SRCS:.c=.o)" names the same files; "$(SRCS:.c=.pic.o)" is another reading of them.
      const std::string name = text.substr(at + 2, end - at - 2);
      const auto known = values_.find(name.substr(0, name.find(':')));
      const std::string made = name.substr(std::min(name.rfind('='), name.size()));
      const std::string ending = made.substr(made.find('%') == std::string::npos ? 0 : made.rfind('%'));
      at = end;
      if (name.find(':') != std::string::npos && std::count(ending.begin(), ending.end(), '.') > 1) continue;
      value += known == values_.end() || depth > 4 ? "$(" + name + ")" : expanded(known->second, depth + 1);
    }
    return value;
  }

  std::vector<std::string> sourcesIn(const std::string& list) const {
    std::vector<std::string> sources;
    for (const std::string& word : wordsOf(expanded(list, 0), kSpaces)) {
      if (std::string source = sourceOf(word); !source.empty()) sources.push_back(std::move(source));
    }
    return sources;
  }

  void add(const std::string& name, std::vector<std::string> sources, const std::string& flags) {
    if (sources.empty() || targets_.size() >= kMostMakeTargets) return;
    BuildTarget target{name, std::move(sources), {}};
    addMacros(flags, plain_, target.macros);
    target.isThreaded = !threadSwitchesIn(flags).empty();
    targets_.push_back(std::move(target));
  }

  void addAutomake() {
    std::vector<std::string> libraries, programs;
    for (const std::string& name : order_) {
      if (!name.ends_with("_PROGRAMS") && !name.ends_with("_LTLIBRARIES") && !name.ends_with("_LIBRARIES"))
        continue;
      for (const std::string& word : wordsOf(expanded(values_[name], 0), kSpaces)) {
        const bool isLibrary = word.ends_with(".la") || word.ends_with(".a");
        std::string target = canonical(word);
        if (!values_.contains(target + "_SOURCES"))
          values_[target + "_SOURCES"] = (isLibrary ? word.substr(0, word.rfind('.')) : word) + ".c";
        (isLibrary ? libraries : programs).push_back(std::move(target));
      }
    }
    // What a library and its test compile is read as in the library.
    libraries.insert(libraries.end(), programs.begin(), programs.end());
    for (const std::string& target : libraries) {
      std::string flags;
      for (const char* kind : {"_CPPFLAGS", "_CFLAGS"})
        if (const auto own = flags_.find(target + kind); own != flags_.end()) flags += own->second;
      add(target, sourcesIn(values_[target + "_SOURCES"]), flags);
    }
  }

  void addRules() {
    for (const Line& line : inRules_) {
      if (line.isCommand) {
        const bool compiles =
            line.text.find("CC") != std::string::npos || line.text.find("cc ") != std::string::npos ||
            line.text.find("clang") != std::string::npos || line.text.find("COMPILE") != std::string::npos;
        if (!compiles) continue;
        std::vector<std::string> sources = sourcesIn(line.text);
        std::erase_if(sources,
                      [](const std::string& source) { return source.find('%') != std::string::npos; });
        const bool isOfNeeds =
            line.text.find("$<") != std::string::npos || line.text.find("$^") != std::string::npos;
        if (sources.empty() && isOfNeeds) sources = filesOf(line.of);
        add(madeBy(line), std::move(sources), line.text);
        continue;
      }
      const bool isAll = line.of.size() == 1 && line.of[0] == "all";
      add(line.of.empty() ? "" : line.of.front(), isAll ? std::vector<std::string>{"**"} : filesOf(line.of),
          line.text);
    }
  }

  /// The commands of one rule may make its targets one by one.
  std::string madeBy(const Line& command) const {
    const std::vector<std::string> words = wordsOf(expanded(command.text, 0), kSpaces);
    const auto output = std::find(words.begin(), words.end(), "-o");
    const bool isNamed = output != words.end() && output + 1 != words.end() && (output + 1)->front() != '$';
    return isNamed ? *(output + 1) : command.of.front();
  }

  /// What the targets are made of.
  std::vector<std::string> filesOf(const std::vector<std::string>& targets) const {
    std::vector<std::string> files;
    for (const std::string& target : targets) {
      if (target.find('%') != std::string::npos || target.starts_with('.')) continue;
      if (std::string own = sourceOf(target); !own.empty()) files.push_back(std::move(own));
      if (const auto needed = needs_.find(target); needed != needs_.end())
        for (std::string& file : sourcesIn(needed->second)) files.push_back(std::move(file));
      if (files.empty() && target.find('.') == std::string::npos) files.push_back(target + ".c");
    }
    return files;
  }

  std::vector<std::string> lines_;
  Macros plain_;
  std::map<std::string, std::string> values_;  // of variables, with all that is added
  std::vector<std::string> order_;             // their names, in the order of the text
  std::map<std::string, std::string> flags_;   // the same, but for what stands in a condition
  std::map<std::string, std::string> needs_;   // what a target is made of
  std::vector<Line> inRules_;
  std::vector<std::string> rule_;  // the targets of the rule that the next lines belong to
  std::vector<BuildTarget> targets_;
  int depth_ = 0;
};

/// Behind the parenthesis that closes the one at `at`.
size_t behindCall(const std::string& text, size_t at) {
  int depth = 0;
  bool isText = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '\'') isText = !isText;
    if (isText) continue;
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return text.size();
}

/// The texts in quotes, and of variables that are named.
std::vector<std::string> mesonTexts(const std::string& text,
                                    const std::map<std::string, std::vector<std::string>>& lists) {
  std::vector<std::string> texts;
  for (size_t at = 0; at < text.size() && texts.size() < kMostMakeText;) {
    if (text[at] == '\'') {
      const size_t end = std::min(text.find('\'', at + 1), text.size());
      texts.push_back(text.substr(at + 1, end - at - 1));
      at = end + 1;
    } else if (isWordCharacter(text[at])) {
      size_t end = at;
      while (end < text.size() && isWordCharacter(text[end])) ++end;
      if (const auto known = lists.find(text.substr(at, end - at)); known != lists.end())
        texts.insert(texts.end(), known->second.begin(), known->second.end());
      at = end;
    } else {
      ++at;
    }
  }
  return texts;
}

}  // namespace

std::vector<BuildTarget> makefileTargets(const std::string& text) {
  return Makefile(text).targets();
}

std::vector<BuildTarget> mesonTargets(const std::string& text) {
  std::vector<BuildTarget> targets;
  std::map<std::string, std::vector<std::string>> lists;
  for (size_t at = 0; at < text.size() && targets.size() < kMostMakeTargets;) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const size_t begin = std::min(text.find_first_not_of(" \t", at), end);
    size_t word = begin;
    while (word < end && isWordCharacter(text[word])) ++word;
    const std::string name = text.substr(begin, word - begin);
    size_t next = std::min(text.find_first_not_of(" \t", word), end);
    const bool isAdded = text.compare(next, 2, "+=") == 0;
    if (!name.empty() && (isAdded || (next < end && text[next] == '=' && text[next + 1] != '='))) {
      // A list goes on to its bracket.
      const size_t value = std::min(text.find_first_not_of(" \t", next + (isAdded ? 2 : 1)), end);
      size_t stop = end;
      if (value < end && text[value] == '[') stop = std::min(text.find(']', value), text.size());
      if (text.compare(value, 6, "files(") == 0) stop = behindCall(text, value + 5);
      std::vector<std::string>& list = lists[name];
      std::vector<std::string> added = mesonTexts(text.substr(value, stop - value), lists);
      if (!isAdded) list.clear();
      if (list.size() < kMostMakeText) list.insert(list.end(), added.begin(), added.end());
      next = value;
    }
    // "x = executable(…)" as well.
    for (const char* call : {"executable(", "library(", "both_libraries("}) {
      const size_t open = text.find(call, begin);
      if (open == std::string::npos || open >= end) continue;
      const size_t paren = open + std::string_view(call).size() - 1;
      const std::string inside = text.substr(paren, behindCall(text, paren) - paren);
      BuildTarget target;
      for (const std::string& one : mesonTexts(inside, lists)) {
        if (target.name.empty()) target.name = one;
        if (one.ends_with(".c")) target.sources.push_back(one);
        if (!one.starts_with("-D")) continue;
        addMacros(one, {}, target.macros);
        target.isThreaded |= !threadSwitchesIn(one).empty();
      }
      if (!target.sources.empty()) targets.push_back(std::move(target));
    }
    at = end + 1;
  }
  return targets;
}

Macros mesonMacros(const std::string& text) {
  Macros macros;
  int depth = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = trimmedText(text.substr(at, end - at));
    depth = std::max(0, depth + conditionChange(line));
    for (const char* call : {"add_project_arguments(", "add_global_arguments("}) {
      if (depth != 0 || !line.starts_with(call)) continue;
      const size_t open = text.find('(', at);
      for (const std::string& one : mesonTexts(text.substr(open, behindCall(text, open) - open), {}))
        if (one.starts_with("-D")) addMacros(one, {}, macros);
    }
    at = end + 1;
  }
  return macros;
}

}  // namespace heddle
