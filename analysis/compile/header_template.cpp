// Headers that a build makes from a template.
#include <algorithm>
#include <map>
#include <vector>

#include "analysis/compile/cmake_text.h"
#include "analysis/compile/made_header.h"
#include "analysis/compile/text_words.h"
#include "analysis/support/word.h"

namespace heddle {
namespace {

constexpr size_t kMostMadeText = size_t{16} << 20;

/// What CMake's "set(X V" gives the name first; empty: nothing.
std::string firstSet(const std::string& script, const std::string& name) {
  const std::string call = "set(" + name;
  for (size_t at = script.find(call); at != std::string::npos; at = script.find(call, at + 1)) {
    size_t value = at + call.size();
    if (value >= script.size() || (script[value] != ' ' && script[value] != '\n')) continue;
    while (value < script.size() && (script[value] == ' ' || script[value] == '\n' || script[value] == '"'))
      ++value;
    size_t end = value;
    while (end < script.size() && isWordCharacter(script[end])) ++end;
    if (end > value) return script.substr(value, end - value);
  }
  return "";
}

/// What `configure` gives the name first: "X=V", "X=\"V\"", "X=${X:-\"V\"}", "set(X V"; empty: nothing.
std::string firstValue(const std::string& configure, const std::string& name) {
  for (size_t at = configure.find(name); at != std::string::npos; at = configure.find(name, at + 1)) {
    if (at > 0 && (isWordCharacter(configure[at - 1]) || configure[at - 1] == '$')) continue;
    size_t value = at + name.size();
    if (value >= configure.size() || configure[value] != '=') continue;
    const size_t line = std::min(configure.find('\n', value), configure.size());
    const size_t fallback = configure.find(":-", value);
    if (fallback < line) value = fallback + 1;
    ++value;
    while (value < line && (configure[value] == '"' || configure[value] == '\'')) ++value;
    size_t end = value;
    while (end < line && isWordCharacter(configure[end])) ++end;
    if (end > value) return configure.substr(value, end - value);
  }
  return firstSet(configure, name);
}

/// Null: it has none.
const std::string* valueIn(const HeaderValues::Values* values, const std::string& name) {
  if (!values) return nullptr;
  const auto known = values->find(name);
  return known == values->end() ? nullptr : &known->second;
}

/// What configure.ac defines the name as where it has parameters: "AC_DEFINE_UNQUOTED([N(n)],
/// [${prefix}##n])" gives "(n) n", for a prefix of names changes nothing in one program; nothing: it has
/// none.
std::optional<std::string> definedWithParameters(const std::string& configure, const std::string& name) {
  const std::string begin = "[" + name + "(";
  for (size_t at = configure.find(begin); at != std::string::npos; at = configure.find(begin, at + 1)) {
    const size_t opened = at + begin.size() - 1, closed = configure.find(')', opened);
    const size_t line = configure.rfind('\n', at) + 1;  // from 0, where there is none
    if (configure.substr(line, at - line).find("AC_DEFINE") == std::string::npos ||
        closed >= configure.size())
      continue;
    const size_t value = configure.find('[', closed), end = configure.find(']', value);
    if (end == std::string::npos || configure.find('\n', closed) < value) continue;
    std::string text = configure.substr(value + 1, end - value - 1);
    if (const size_t joined = text.find("}##"); text.starts_with("${") && joined != std::string::npos)
      text = text.substr(joined + 3);
    if (text.find('$') == std::string::npos)
      return configure.substr(opened, closed + 1 - opened) + " " + text;
  }
  return std::nullopt;
}

/// What configure.ac defines the name as in any case, by a variable whose value is not known: the first that
/// it has, where that is nothing or a word. Nothing: it is not defined so.
std::optional<std::string> definedAlways(const std::string& configure, const std::string& name) {
  const std::string call = "\nAC_DEFINE_UNQUOTED([" + name + "], [$";
  const size_t at = configure.find(call);
  if (at == std::string::npos) return std::nullopt;
  const size_t begin = at + call.size();
  const std::string variable = configure.substr(begin, configure.find(']', begin) - begin);
  const size_t set = configure.find("\n" + variable + "=");
  if (set == std::string::npos) return std::nullopt;
  const size_t value = set + variable.size() + 2,
               line = std::min(configure.find('\n', value), configure.size());
  const std::string text = configure.substr(value, line - value);
  if (text == "\"\"" || text == "''" || text.empty()) return "";
  return std::all_of(text.begin(), text.end(), isWordCharacter) ? std::optional(text) : std::nullopt;
}

/// The directive decides whether the name behind it is defined.
bool isDecision(const std::string& directive) {
  return directive == "undef" || directive.starts_with("cmakedefine") || directive == "mesondefine";
}

/// A line of a template whose directive decides whether a name is defined; nothing: it is another line.
std::optional<std::string> decidedLine(const std::string& directive, const std::string& name,
                                       const std::string& rest, const std::string& configure,
                                       const SystemNames& system, const HeaderValues& values) {
  const bool isCMake = directive.starts_with("cmakedefine");
  if (!isDecision(directive)) return std::nullopt;
  const bool isNumber = directive == "cmakedefine01";
  const std::string define = "#define " + name + " ";
  if (const std::string* const defined = isCMake ? nullptr : valueIn(values.defined, name))
    return define + *defined + "\n";
  if (const std::string* const variable = isCMake ? valueIn(values.variables, name) : nullptr) {
    const bool is = !isFalseForCMake(*variable);
    if (isNumber) return define + (is ? "1\n" : "0\n");
    return is ? define + rest + "\n" : "\n";
  }
  if (const auto value = configuredValue(name, system)) return define + *value + "\n";
  if (const auto value = definedWithParameters(configure, name)) return "#define " + name + *value + "\n";
  if (const auto value = definedAlways(configure, name)) return define + *value + "\n";
  return isNumber ? define + "0\n" : "\n";
}

/// Puts values in for @NAME@, and for ${NAME} where CMake has one.
void replaceNames(std::string& line, const std::string& configure, const SystemNames& system,
                  const HeaderValues& values) {
  const size_t hash = line.find_first_not_of(" \t");
  const bool isDirective = hash != std::string::npos && line[hash] == '#';
  const bool isWordWanted = isDirective && line.find("include", hash) == std::string::npos;
  for (size_t at = line.find_first_of("@$"); at != std::string::npos; at = line.find_first_of("@$", at)) {
    const bool isCMake = line[at] == '$';
    const size_t begin = at + (isCMake ? 2 : 1);
    size_t close = begin;
    while (close < line.size() && isWordCharacter(line[close])) ++close;
    if (close == begin || close >= line.size() || line[close] != (isCMake ? '}' : '@') ||
        (isCMake && line[at + 1] != '{')) {
      ++at;
      continue;
    }
    const std::string name = line.substr(begin, close - begin);
    const std::string* const known = valueIn(values.variables, name);
    if (isCMake && !known) {
      ++at;
      continue;
    }
    std::string value = known ? *known : firstValue(configure, name);
    const bool isKnown = known || !value.empty();
    if (!isKnown && name.find("SIZEOF_") != std::string::npos)
      value = configuredValue(name, system).value_or("");
    if (!isKnown && value.empty() && isWordWanted) value = "HEDDLE_UNSET_" + name;
    line.replace(at, close + 1 - at, value);
    at += value.size();
  }
}

}  // namespace

std::string headerFromTemplate(const std::string& text, const std::string& configure,
                               const SystemNames& system, const HeaderValues& values) {
  std::string made;
  // What the template itself defines, and in which branches: there `#undef` ends that.
  std::map<std::string, std::vector<size_t>> own;
  std::vector<size_t> branches;
  size_t nextBranch = 0;
  for (size_t begin = 0; begin < text.size() && made.size() < kMostMadeText;) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.ends_with('\r')) line.pop_back();
    // The directive and the name behind it.
    std::vector<std::string> words;
    forEachWord(line, [&](const std::string& word, const std::string&, char) { words.push_back(word); });
    const size_t hash = line.find_first_not_of(" \t");
    const bool isDirective = hash != std::string::npos && line[hash] == '#' && !words.empty();
    if (isDirective && words[0].starts_with("if")) branches.push_back(nextBranch++);
    if (isDirective && words[0].starts_with("el") && !branches.empty()) branches.back() = nextBranch++;
    if (isDirective && words[0] == "endif" && !branches.empty()) branches.pop_back();
    if (isDirective && words.size() >= 2) {
      const size_t name = line.find(words[1], line.find(words[0]) + words[0].size());
      std::string rest =
          line.substr(std::min(line.find_first_not_of(" \t", name + words[1].size()), line.size()));
      if (words[0] == "define") own[words[1]] = branches;
      const auto defined = words[0] == "undef" ? own.find(words[1]) : own.end();
      if (defined != own.end() && defined->second.size() <= branches.size() &&
          std::equal(defined->second.begin(), defined->second.end(), branches.begin())) {
        made += line + "\n";
        continue;
      }
      if (words[0].starts_with("cmakedefine")) replaceNames(rest, configure, system, values);
      if (const auto decided = decidedLine(words[0], words[1], rest, configure, system, values)) {
        made += *decided;
        continue;
      }
    }
    // CMake's ${SIZEOF_LONG_CODE} is a whole line.
    if (line.starts_with("${") && words.size() == 1 && words[0].ends_with("_CODE")) {
      const std::string name = words[0].substr(0, words[0].size() - 5);
      const auto value = configuredValue(name, system);
      made += value ? "#define " + name + " " + *value + "\n" : "\n";
      continue;
    }
    replaceNames(line, configure, system, values);
    made += line + "\n";
  }
  return made;
}

std::set<std::string> decidedBy(const std::string& text) {
  std::set<std::string> names;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::vector<std::string> words;
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#') continue;
    forEachWord(line, [&](const std::string& word, const std::string&, char) { words.push_back(word); });
    if (words.size() >= 2 && isDecision(words[0])) names.insert(words[1]);
  }
  return names;
}

std::string withoutDefinitions(const std::string& text, const std::set<std::string>& names) {
  if (names.empty()) return text;
  std::string kept;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const size_t hash = line.find_first_not_of(" \t");
    std::vector<std::string> words;
    if (hash != std::string::npos && line[hash] == '#')
      forEachWord(line, [&](const std::string& word, const std::string&, char) { words.push_back(word); });
    const bool isOff = words.size() >= 2 && words[0] == "define" && names.contains(words[1]);
    kept += isOff ? "\n" : line + "\n";
  }
  return kept;
}

/// Definitions that the script prints: `echo "#define N ${n}"`. What it computes is a number that is not
/// known.
static std::string definitionsIn(const std::string& script) {
  constexpr const char* kComputed = "32";
  std::string made;
  std::set<std::string> seen;
  for (size_t at = script.find("#define"); at != std::string::npos; at = script.find("#define", at + 1)) {
    const size_t line = std::min(script.find('\n', at), script.size());
    const size_t begin = script.find_first_not_of(" \t", at + 7);
    size_t end = begin;
    while (end < line && isWordCharacter(script[end])) ++end;
    if (begin >= line || end == begin || begin == at + 7 || script[end] == '(') continue;
    const std::string name = script.substr(begin, end - begin);
    std::string value = script.substr(end, line - end);
    // Of a command, what is quoted ends with the quote; else it is the text of a "here document".
    const size_t lineBegin = script.rfind('\n', at) + 1;  // from 0, where there is none
    const bool isQuoted = script.find_first_of("\"'", lineBegin) < at;
    value.erase(std::min(value.find_first_of(isQuoted ? "\"'\\" : "\\"), value.size()));
    value.erase(0, std::min(value.find_first_not_of(" \t"), value.size()));
    if (!seen.insert(name).second) continue;
    made += "#ifndef " + name + "\n#define " + name + " " +
            (value.find_first_of("$`%") == std::string::npos ? value : kComputed) + "\n#endif\n";
  }
  return made;
}

std::string headerFromScript(const std::string& script,
                             const std::function<bool(const std::string&)>& isKnown) {
  std::string made(kMadeInPart);
  std::set<std::string> seen;
  const auto isOfName = [](char c) { return isWordCharacter(c) || c == '-' || c == '.'; };
  for (size_t at = 0; at < script.size(); ++at) {
    size_t end = at;
    while (end < script.size() && isOfName(script[end])) ++end;
    const std::string word = script.substr(at, end - at);
    if (word.size() > 2 && word.ends_with(".h") && seen.insert(word).second && isKnown(word))
      made += "#include \"" + word + "\"\n";
    at = end;
  }
  return made + definitionsIn(script);
}

}  // namespace heddle
