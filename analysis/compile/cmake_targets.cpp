// The commands of CMake that say what is compiled, and with which macros.
#include <algorithm>
#include <cctype>
#include <string_view>

#include "analysis/compile/cmake_run.h"
#include "analysis/support/word.h"

namespace heddle {
namespace {

constexpr size_t kMostTargets = 5'000;
constexpr size_t kMostSources = 20'000;  // of one target

/// PRIVATE, PUBLIC and INTERFACE hold for what follows.
bool isScope(const std::string& word) {
  return word == "PRIVATE" || word == "PUBLIC" || word == "INTERFACE";
}

/// The -D of options, in one text or several.
void addOptions(const std::string& options, Macros& macros) {
  for (const std::string& part : listOf(options))
    for (size_t at = 0; at < part.size();) {
      const size_t end = std::min(part.find(' ', at), part.size());
      if (part.compare(at, 2, "-D") == 0) addDefinition(part.substr(at, end - at), macros);
      at = end + 1;
    }
}

}  // namespace

void addDefinition(const std::string& definition, Macros& macros) {
  const size_t begin = definition.starts_with("-D") || definition.starts_with("/D") ? 2 : 0;
  size_t end = begin;
  while (end < definition.size() && isWordCharacter(definition[end])) ++end;
  const bool isName = end > begin && !std::isdigit(static_cast<unsigned char>(definition[begin]));
  // Generator expressions hold for some configurations only.
  if (!isName || !isKnownValue(definition) || definition.find('\n') != std::string::npos ||
      definition.find("$<") != std::string::npos)
    return;
  const std::string name = definition.substr(begin, end - begin);
  if (end == definition.size())
    macros[name] = "";
  else if (definition[end] == '=')
    macros[name] = definition.substr(end + 1);
}

void CMakeRun::addSources(Target& target, const Arguments& arguments, size_t begin) {
  for (size_t i = begin; i < arguments.size() && target.own.sources.size() < kMostSources; ++i) {
    const std::string& word = arguments[i].text;
    if (isScope(word) || word == "STATIC" || word == "SHARED" || word == "MODULE" || word == "OBJECT" ||
        word == "EXCLUDE_FROM_ALL" || word == "WIN32" || word == "MACOSX_BUNDLE")
      continue;
    if (!isKnownValue(word) || word.find("$<") != std::string::npos) continue;
    if (word.ends_with(".c") || word.ends_with('*')) target.own.sources.push_back(absolute(word));
  }
}

bool CMakeRun::define(const std::string& name, const Arguments& arguments) {
  const auto into = [&](Macros& macros) {
    for (const CMakeArgument& argument : arguments) {
      if (name == "add_compile_definitions" || argument.text.starts_with("-D"))
        addDefinition(argument.text, macros);
    }
  };
  if (name == "add_definitions" || name == "add_compile_definitions" || name == "add_compile_options") {
    if (unknown_ == 0) into(found_.folders[folder_]);
  } else if (name == "remove_definitions") {
    Macros removed;
    into(removed);
    for (const auto& [macro, value] : removed) found_.folders[folder_].erase(macro);
  } else if (name == "set_source_files_properties") {
    const auto properties = std::find_if(arguments.begin(), arguments.end(),
                                         [](const CMakeArgument& word) { return word.text == "PROPERTIES"; });
    Macros macros;
    for (auto at = properties; unknown_ == 0 && arguments.end() - at > 2; at += 2) {
      const std::string& property = (at + 1)->text;
      if (property == "COMPILE_DEFINITIONS")
        for (const std::string& one : listOf((at + 2)->text)) addDefinition(one, macros);
      if (property == "COMPILE_FLAGS" || property == "COMPILE_OPTIONS") addOptions((at + 2)->text, macros);
    }
    for (auto file = arguments.begin(); !macros.empty() && file != properties; ++file)
      if (sources_.size() < kMostSources) sources_[absolute(file->text)].insert(macros.begin(), macros.end());
  } else {
    return false;
  }
  return true;
}

bool CMakeRun::makeTargets(const std::string& name, const Arguments& arguments) {
  if (arguments.empty() || !isKnownValue(arguments[0].text)) return false;
  const std::string& first = arguments[0].text;
  if (name == "add_library" || name == "add_executable") {
    const bool isOther =
        arguments.size() > 1 && (arguments[1].text == "ALIAS" || arguments[1].text == "IMPORTED");
    if (isOther || targets_.size() >= kMostTargets) return true;
    const auto [known, isNew] = targets_.try_emplace(first);
    if (isNew) order_.push_back(first);
    known->second.folder = folder_;
    addSources(known->second, arguments, 1);
    return true;
  }
  if (name == "set_target_properties") {
    const auto properties = std::find_if(arguments.begin(), arguments.end(),
                                         [](const CMakeArgument& word) { return word.text == "PROPERTIES"; });
    for (auto target = arguments.begin(); unknown_ == 0 && target != properties; ++target) {
      const auto known = targets_.find(target->text);
      if (known == targets_.end()) continue;
      for (auto at = properties; arguments.end() - at > 2; at += 2) {
        if ((at + 1)->text == "COMPILE_DEFINITIONS")
          for (const std::string& one : listOf((at + 2)->text)) addDefinition(one, known->second.own.macros);
        if ((at + 1)->text == "COMPILE_FLAGS") addOptions((at + 2)->text, known->second.own.macros);
      }
    }
    return true;
  }
  if (!name.starts_with("target_")) return false;
  const auto known = targets_.find(first);
  if (known == targets_.end()) return true;
  Target& target = known->second;
  if (name == "target_sources") {
    addSources(target, arguments, 1);
  } else if (name == "target_link_libraries") {
    for (size_t i = 1; i < arguments.size() && target.linked.size() < kMostTargets; ++i)
      if (!isScope(arguments[i].text)) target.linked.push_back(arguments[i].text);
  } else if (name == "target_compile_definitions" || name == "target_compile_options") {
    std::string scope = "PRIVATE";
    for (size_t i = 1; unknown_ == 0 && i < arguments.size(); ++i) {
      const std::string& word = arguments[i].text;
      if (isScope(word)) {
        scope = word;
        continue;
      }
      if (name == "target_compile_options" && !word.starts_with("-D")) continue;
      if (scope != "INTERFACE") addDefinition(word, target.own.macros);
      if (scope != "PRIVATE") addDefinition(word, target.usage);
    }
  }
  return true;
}

}  // namespace heddle
