#include "analysis/compile/build_switches.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>

#include "analysis/compile/made_header.h"
#include "analysis/support/word.h"

namespace heddle {
namespace {

using Variables = Macros;

constexpr std::string_view kBlanks = " \t\r";

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

bool beginsWithWord(const std::string& line, std::string_view word) {
  return line.starts_with(word) && (line.size() == word.size() || !isWordCharacter(line[word.size()]));
}

/// NAME = value, where the value names no other variable.
void noteVariable(const std::string& line, Variables& variables) {
  size_t end = 0;
  while (end < line.size() && isWordCharacter(line[end])) ++end;
  size_t at = line.find_first_not_of(kBlanks, end);
  if (end == 0 || at == std::string::npos) return;
  if (line[at] == ':' || line[at] == '?') ++at;
  if (at >= line.size() || line[at] != '=') return;
  const std::string value = trimmed(line.substr(at + 1));
  if (value.find('$') == std::string::npos) variables.try_emplace(line.substr(0, end), value);
}

/// The value behind `-DNAME=` at `at`, as a shell hands it over; nothing: it is not known. `outer`: the quote
/// in which the whole option stands, or 0.
std::optional<std::string> valueAt(const std::string& line, size_t at, char outer,
                                   const Variables& variables) {
  std::string value;
  bool isText = false, isKnown = true;
  char quote = 0;
  for (; at < line.size(); ++at) {
    const char c = line[at];
    if (!quote && outer && c == outer) break;
    if (c == '\\' && at + 1 < line.size()) {
      isText |= line[at + 1] == '"';
      value += line[++at];
    } else if (quote ? c == quote : c == '"' || c == '\'') {
      quote = quote ? 0 : c;
    } else if (c == '$' && at + 1 < line.size() && (line[at + 1] == '(' || line[at + 1] == '{')) {
      const char open = line[at + 1], close = open == '(' ? ')' : '}';
      size_t end = at + 2;
      for (int depth = 1; end < line.size(); ++end) {
        depth += line[end] == open ? 1 : line[end] == close ? -1 : 0;
        if (depth == 0) break;
      }
      const auto known = variables.find(line.substr(at + 2, end - at - 2));
      if (known != variables.end())
        value += known->second;
      else
        isKnown = false;
      at = end;
    } else if (!quote && (kBlanks.find(c) != std::string_view::npos || c == ')' || c == ';')) {
      break;
    } else {
      isText |= c == '"';
      value += c;
    }
  }
  if (isText) {
    std::erase(value, '"');
    return '"' + value + '"';
  }
  return isKnown ? std::optional(value) : std::nullopt;
}

std::string upper(std::string text) {
  for (char& c : text)
    c = isWordCharacter(c) ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : '_';
  return text;
}

void addExports(const std::string& text, std::vector<ExportHeader>& exports) {
  constexpr std::string_view kCall = "generate_export_header(";
  for (size_t at = text.find(kCall); at != std::string::npos; at = text.find(kCall, at + 1)) {
    const size_t begin = at + kCall.size(), end = std::min(text.find(')', begin), text.size());
    const std::vector<std::string> words = wordsOf(text.substr(begin, end - begin), " \t\r\n\"");
    if (words.empty()) continue;
    std::string base = words[0], own;
    ExportHeader header;
    for (size_t i = 1; i + 1 < words.size(); ++i) {
      if (words[i] == "BASE_NAME") base = words[i + 1];
      if (words[i] == "EXPORT_MACRO_NAME") own = words[i + 1];
      if (words[i] == "EXPORT_FILE_NAME") header.fileName = words[i + 1].substr(words[i + 1].rfind('/') + 1);
    }
    if (base.find('$') != std::string::npos) continue;
    if (header.fileName.empty()) {
      for (const char c : base)
        header.fileName += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      header.fileName += "_export.h";
    }
    const std::string prefix = upper(base);
    for (const char* ending :
         {"_EXPORT", "_NO_EXPORT", "_DEPRECATED", "_DEPRECATED_EXPORT", "_DEPRECATED_NO_EXPORT"})
      header.macros.push_back(prefix + ending);
    if (!own.empty()) header.macros.push_back(own);
    exports.push_back(std::move(header));
  }
}

/// Of a build file's text: commands of a rule, what "target: CFLAGS += …" sets, and calls of CMake and Meson
/// for one target.
bool isOfOneTarget(const std::string& line, const std::string& text) {
  if (line.starts_with("\t")) return true;
  // Automake's "foo_CFLAGS".
  size_t word = 0;
  while (word < line.size() && isWordCharacter(line[word])) ++word;
  const std::string name = line.substr(0, word);
  for (const std::string_view ending : {"_CFLAGS", "_CPPFLAGS"})
    if (name.ends_with(ending) && !name.starts_with("AM_"))
      if (text.find(name.substr(0, name.size() - ending.size()) + "_SOURCES") != std::string::npos ||
          text.find("_PROGRAMS") != std::string::npos || text.find("_LTLIBRARIES") != std::string::npos)
        return true;
  const size_t colon = line.find(':'), equal = line.find('=');
  const bool isSet = colon != std::string::npos && colon + 1 < line.size() && line[colon + 1] != '=' &&
                     line[colon + 1] != ':' && equal != std::string::npos && colon < equal &&
                     (line.find_first_of("('\"") > colon || line.starts_with("$("));
  return isSet || line.starts_with("target_") || line.starts_with("set_target_prop");
}

}  // namespace

std::vector<std::string> logicalLines(const std::string& text) {
  std::vector<std::string> lines(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\n')
      lines.back() += ' ', ++i;
    else if (text[i] == '\n')
      lines.emplace_back();
    else
      lines.back() += text[i];
  }
  return lines;
}

int conditionChange(const std::string& line) {
  for (const std::string_view opens : {"if", "IF", "ifeq", "ifneq", "ifdef", "ifndef"})
    if (beginsWithWord(line, opens)) return 1;
  return beginsWithWord(line, "endif") || beginsWithWord(line, "ENDIF") ? -1 : 0;
}

Macros plainVariables(const std::vector<std::string>& lines) {
  Macros variables;
  for (const std::string& line : lines) noteVariable(line, variables);
  return variables;
}

void addMacros(const std::string& line, const Macros& variables, Macros& macros) {
  if (line.find("CMAKE_REQUIRED_") != std::string::npos) return;  // for checks of CMake only
  for (size_t at = line.find("-D"); at != std::string::npos; at = line.find("-D", at + 2)) {
    if (at != 0 && std::string_view(" \t\"'(=").find(line[at - 1]) == std::string_view::npos) continue;
    const char outer = at != 0 && (line[at - 1] == '"' || line[at - 1] == '\'') ? line[at - 1] : '\0';
    size_t begin = line.find_first_not_of(kBlanks, at + 2), end = begin;
    if (begin == std::string::npos) return;
    while (end < line.size() && isWordCharacter(line[end])) ++end;
    const std::string name = line.substr(begin, end - begin);
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) || isLeftOut(name) ||
        name.find("THREAD") != std::string::npos)  // these other rules decide (isThreadSwitch)
      continue;
    if (end >= line.size() || line[end] != '=') {
      macros.try_emplace(name, "");
    } else if (const auto value = valueAt(line, end + 1, outer, variables)) {
      macros.try_emplace(name, *value);
    }
  }
}

std::set<std::string> threadSwitchesIn(const std::string& text) {
  std::set<std::string> switches;
  for (size_t at = text.find("-D"); at != std::string::npos; at = text.find("-D", at + 2)) {
    size_t end = at + 2;
    while (end < text.size() && isWordCharacter(text[end])) ++end;
    const std::string name = text.substr(at + 2, end - at - 2);
    if (name != "_GNU_SOURCE" && isThreadSwitch(name)) switches.insert(name);
  }
  return switches;
}

bool isLeftOut(const std::string& name) {
  return name == "NDEBUG" || name == "HAVE_CONFIG_H" || name == "main" || name.starts_with("__") ||
         name.starts_with("_FORTIFY");
}

std::vector<std::string> wordsOf(const std::string& text, std::string_view between) {
  std::vector<std::string> words;
  for (size_t at = text.find_first_not_of(between); at != std::string::npos;) {
    const size_t end = std::min(text.find_first_of(between, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(between, end);
  }
  return words;
}

void addForced(const std::string& line, std::vector<std::string>& headers) {
  constexpr std::string_view kForced = "-include ";
  for (size_t at = line.find(kForced); at != std::string::npos; at = line.find(kForced, at + 1)) {
    const size_t begin = std::min(line.find_first_not_of(kBlanks, at + kForced.size()), line.size());
    std::string name = line.substr(begin, std::min(line.find_first_of(" \t\"'", begin), line.size()) - begin);
    if (name.find('$') != std::string::npos) name = name.substr(name.rfind('/') + 1);
    if (name.ends_with(".h") && name.find('$') == std::string::npos &&
        std::find(headers.begin(), headers.end(), name) == headers.end())
      headers.push_back(name);
  }
}

static void addFolders(const std::string& line, const Macros& variables, std::vector<std::string>& folders) {
  for (size_t at = line.find("-I"); at != std::string::npos; at = line.find("-I", at + 2)) {
    if (at != 0 && std::string_view(" \t\"'(=").find(line[at - 1]) == std::string_view::npos) continue;
    const char outer = at != 0 && (line[at - 1] == '"' || line[at - 1] == '\'') ? line[at - 1] : '\0';
    const size_t begin = line.find_first_not_of(kBlanks, at + 2);
    if (begin == std::string::npos) return;
    const auto folder = valueAt(line, begin, outer, variables);
    if (folder && !folder->empty() && folder->front() != '"') folders.push_back(*folder);
  }
}

BuildSwitches buildSwitchesOf(const std::string& text) {
  BuildSwitches found;
  const std::vector<std::string> lines = logicalLines(text);
  const Macros variables = plainVariables(lines);
  Macros places = variables;
  for (const char* here : {"srcdir", "builddir", "CURDIR"}) places.try_emplace(here, ".");
  for (const char* top : {"top_srcdir", "top_builddir", "abs_top_srcdir"})
    places.try_emplace(top, std::string(kTopFolder));
  int depth = 0;
  for (const std::string& whole : lines) {
    const std::string line = trimmed(whole);
    if (line.starts_with("#")) continue;
    addFolders(line, places, found.folders);
    const int change = conditionChange(line);
    depth = std::max(0, depth + change);
    if (depth != 0 || change != 0 || isOfOneTarget(whole, text)) continue;
    addMacros(line, variables, found.macros);
    if (!line.starts_with("-include")) addForced(line, found.forced);  // else it includes a makefile
  }
  addExports(text, found.exports);
  return found;
}

std::vector<std::string> configuredHeaders(const std::string& configure) {
  std::vector<std::string> names;
  for (const std::string_view macro : {"AC_CONFIG_HEADERS(", "AC_CONFIG_HEADER(", "AM_CONFIG_HEADER("})
    for (size_t at = configure.find(macro); at != std::string::npos; at = configure.find(macro, at + 1)) {
      const size_t begin = at + macro.size(),
                   end = std::min(configure.find_first_of("),", begin), configure.size());
      for (const std::string& word : wordsOf(configure.substr(begin, end - begin), " \t\r\n[]"))
        names.push_back(word.substr(0, word.find(':')));
    }
  return names;
}

std::optional<std::string> configuredFolder(const std::string& configure, const std::string& name,
                                            const std::string& file) {
  std::optional<std::string> first;
  for (const std::string& made : configuredHeaders(configure)) {
    if (made != name && !made.ends_with("/" + name)) continue;
    std::string folder = made.substr(0, made.size() - std::min(made.size(), name.size() + 1));
    if (folder.empty() || file.starts_with(folder + "/")) return folder;
    if (!first) first = std::move(folder);
  }
  return first;
}

std::string textOf(const ExportHeader& header) {
  std::string text = "#pragma once\n";
  for (const std::string& macro : header.macros) text += "#define " + macro + "\n";
  return text;
}

}  // namespace heddle
