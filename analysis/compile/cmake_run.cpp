#include "analysis/compile/cmake_run.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "analysis/compile/command_database.h"
#include "analysis/support/word.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostSteps = 60'000;  // commands that are followed
constexpr size_t kMostFile = size_t{1} << 20;
constexpr size_t kMostScripts = size_t{16} << 20;  // of all files
constexpr int kMostDepth = 40;
constexpr size_t kMostRounds = 200;  // of one loop

}  // namespace

CMakeRun::CMakeRun(std::string root, BuildChecks& checks, const std::set<std::string>& off)
    : root_(std::move(root)), checks_(checks) {
  for (const std::string& name : off) variables_.setCached(name, "OFF");
  // A usual machine: Linux on 64 bits of Intel, with GCC.
  const std::map<std::string, std::string> known = {{"UNIX", "1"},
                                                    {"LINUX", "1"},
                                                    {"CMAKE_SYSTEM_NAME", "Linux"},
                                                    {"CMAKE_HOST_SYSTEM_NAME", "Linux"},
                                                    {"CMAKE_SYSTEM", "Linux"},
                                                    {"CMAKE_SYSTEM_PROCESSOR", "x86_64"},
                                                    {"CMAKE_HOST_SYSTEM_PROCESSOR", "x86_64"},
                                                    {"CMAKE_HOST_UNIX", "1"},
                                                    {"CMAKE_SIZEOF_VOID_P", "8"},
                                                    {"CMAKE_C_COMPILER_ID", "GNU"},
                                                    {"CMAKE_C_COMPILER_LOADED", "1"},
                                                    {"CMAKE_COMPILER_IS_GNUCC", "1"},
                                                    {"CMAKE_C_BYTE_ORDER", "LITTLE_ENDIAN"},
                                                    {"CMAKE_CROSSCOMPILING", "FALSE"},
                                                    {"CMAKE_BUILD_TYPE", ""},
                                                    {"CMAKE_C_FLAGS", ""},
                                                    {"CMAKE_MODULE_PATH", ""},
                                                    {"CMAKE_TOOLCHAIN_FILE", ""},
                                                    {"CMAKE_CONFIGURATION_TYPES", ""},
                                                    {"CMAKE_SOURCE_DIR", root_},
                                                    {"CMAKE_BINARY_DIR", root_ + "/build"},
                                                    {"PROJECT_BINARY_DIR", root_ + "/build"},
                                                    {"PROJECT_SOURCE_DIR", root_},
                                                    {"CMAKE_CURRENT_BINARY_DIR", root_ + "/build"}};
  for (const auto& [name, value] : known) variables_.set(name, value);
}

std::string CMakeRun::valueOf(const std::string& name) const {
  const std::string* const known = variables_.find(name);
  return known ? *known : "";
}

std::string CMakeRun::absolute(const std::string& path) const {
  return absolutePath(path, folder_);
}

void CMakeRun::set(const std::string& name, const std::string& value) {
  variables_.set(name, unknown_ > 0 ? std::string(1, kUnknownValue) : value);
}

void CMakeRun::setAnswer(const std::string& name, BuildAnswer answer) {
  if (answer == BuildAnswer::Unknown)
    forget(name);
  else
    set(name, answer == BuildAnswer::Yes ? "1" : "");
}

void CMakeRun::runFile(const std::string& path) {
  // The root's own name with a '/' behind it: nothing outside is read.
  if (depth_ >= kMostDepth || !path.starts_with(root_ + "/")) return;
  std::shared_ptr<const Commands>& commands = files_[path];
  if (!commands) {
    const auto text = bytes_ < kMostScripts ? readRegularFile(path, kMostFile) : std::nullopt;
    bytes_ += text ? text->size() : 0;
    commands = std::make_shared<const Commands>(commandsOf(text.value_or("")));
  }
  const std::string before = valueOf("CMAKE_CURRENT_LIST_DIR");
  variables_.set("CMAKE_CURRENT_LIST_DIR", fs::path(path).parent_path().string());
  ++depth_;
  const std::shared_ptr<const Commands> kept = commands;
  runCommands(kept, 0, kept->size());
  --depth_;
  isLeft_ = false;
  variables_.set("CMAKE_CURRENT_LIST_DIR", before);
}

void CMakeRun::runFolder(const std::string& folder) {
  if (!folders_.insert(folder).second) return;
  std::error_code error;
  const std::string file = (fs::path(folder) / "CMakeLists.txt").string();
  if (!fs::is_regular_file(file, error)) return;
  const std::string outer = std::exchange(folder_, folder);
  // What the outer folder has defined so far counts here.
  if (const auto known = found_.folders.find(outer); known != found_.folders.end()) {
    Macros inherited = known->second;
    found_.folders[folder] = std::move(inherited);
  } else {
    found_.folders[folder];
  }
  variables_.beginScope();
  variables_.set("CMAKE_CURRENT_SOURCE_DIR", folder);
  runFile(file);
  const std::string flags = valueOf("CMAKE_C_FLAGS");
  for (size_t at = flags.find("-D"); at != std::string::npos; at = flags.find("-D", at + 2)) {
    const std::string word = flags.substr(at, std::min(flags.find(' ', at), flags.size()) - at);
    if ((at == 0 || flags[at - 1] == ' ') && isKnownValue(word)) addDefinition(word, found_.folders[folder]);
  }
  variables_.endScope();
  folder_ = outer;
}

void CMakeRun::runCommands(const std::shared_ptr<const Commands>& commands, size_t begin, size_t end) {
  for (size_t at = begin; at < end && !isLeft_ && steps_ < kMostSteps;) {
    const CMakeCommand& command = (*commands)[at];
    ++steps_;
    if (command.name == "if") {
      at = runIf(commands, at);
    } else if (command.name == "foreach" || command.name == "while") {
      runLoop(commands, at);
      at = command.next + 1;
    } else if (command.name == "function" || command.name == "macro") {
      const Arguments arguments = variables_.expandAll(command.arguments);
      if (!arguments.empty()) {
        Function function{commands, at + 1, std::min(command.next, end), {}, command.name == "macro"};
        for (size_t i = 1; i < arguments.size(); ++i) function.parameters.push_back(arguments[i].text);
        functions_[lowerCase(arguments[0].text)] = std::move(function);
      }
      at = command.next + 1;
    } else {
      runCommand(command);
      ++at;
    }
  }
}

size_t CMakeRun::runIf(const std::shared_ptr<const Commands>& commands, size_t at) {
  bool isDone = false, isUnknown = false;
  while (at < commands->size() && (*commands)[at].name != "endif") {
    const CMakeCommand& branch = (*commands)[at];
    BuildAnswer answer = BuildAnswer::No;
    if (!isDone && !isLeft_)
      answer = branch.name == "else" ? BuildAnswer::Yes : variables_.decide(branch.arguments);
    isUnknown |= answer == BuildAnswer::Unknown;
    if (answer != BuildAnswer::No && depth_ < kMostDepth) {
      unknown_ += isUnknown ? 1 : 0;
      ++depth_;
      const bool isOfName = branch.name != "else" && branch.arguments.size() == 1;
      conditions_.push_back(isOfName ? branch.arguments[0].text : "");
      runCommands(commands, at + 1, std::min(branch.next, commands->size()));
      conditions_.pop_back();
      --depth_;
      if (isUnknown) isLeft_ = false;  // whether it leaves is not known
      unknown_ -= isUnknown ? 1 : 0;
    }
    isDone |= answer == BuildAnswer::Yes;
    at = branch.next;
  }
  return at + 1;
}

void CMakeRun::runLoop(const std::shared_ptr<const Commands>& commands, size_t at) {
  const CMakeCommand& loop = (*commands)[at];
  const size_t end = std::min(loop.next, commands->size());
  if (depth_ >= kMostDepth) return;
  const Arguments arguments = variables_.expandAll(loop.arguments);
  std::vector<std::string> items;
  bool isKnown = loop.name == "foreach" && !arguments.empty();
  bool isOfLists = false, isOfItems = true;
  for (size_t i = 1; isKnown && i < arguments.size(); ++i) {
    const std::string& word = arguments[i].text;
    if (word == "IN" && i == 1) {
      isOfItems = false;
    } else if (word == "RANGE" || !isKnownValue(word)) {
      isKnown = false;
    } else if (word == "LISTS" || word == "ITEMS") {
      isOfLists = word == "LISTS";
      isOfItems = !isOfLists;
    } else if (isOfItems) {
      items.push_back(word);
    } else if (isOfLists) {
      for (std::string& item : listOf(valueOf(word))) items.push_back(std::move(item));
    }
  }
  ++depth_;
  if (isKnown && items.size() <= kMostRounds) {
    for (const std::string& item : items) {
      set(arguments[0].text, item);
      runCommands(commands, at + 1, end);
    }
  } else {
    ++unknown_;
    if (!arguments.empty() && loop.name == "foreach") forget(arguments[0].text);
    runCommands(commands, at + 1, end);
    --unknown_;
  }
  --depth_;
}

void CMakeRun::call(const Function& function, const Arguments& arguments) {
  if (depth_ >= kMostDepth) return;
  ++depth_;
  if (!function.isMacro) variables_.beginScope();
  std::string all, rest;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& value = arguments[i].text;
    if (i < function.parameters.size())
      variables_.set(function.parameters[i], value);
    else
      rest += (rest.empty() ? "" : ";") + value;
    all += (i == 0 ? "" : ";") + value;
    if (i < 10) variables_.set("ARGV" + std::to_string(i), value);
  }
  variables_.set("ARGV", all);
  variables_.set("ARGN", rest);
  variables_.set("ARGC", std::to_string(arguments.size()));
  const std::shared_ptr<const Commands> commands = function.commands;
  runCommands(commands, function.begin, function.end);
  if (!function.isMacro) {
    variables_.endScope();
    isLeft_ = false;
  }
  --depth_;
}

void CMakeRun::runCommand(const CMakeCommand& command) {
  const std::string& name = command.name;
  if (name == "return") {
    isLeft_ = unknown_ == 0;
    return;
  }
  const Arguments arguments = variables_.expandAll(command.arguments);
  if (const auto own = functions_.find(name); own != functions_.end()) {
    const Function function = own->second;  // it may define itself anew
    return call(function, arguments);
  }
  if (name == "add_subdirectory" && !arguments.empty()) {
    if (!isKnownValue(arguments[0].text)) return;
    const std::string folder = absolute(arguments[0].text);
    if (folder.starts_with(root_ + "/")) runFolder(folder);
  } else if (name == "include" && !arguments.empty()) {
    const std::string& file = arguments[0].text;
    if (!isKnownValue(file)) return;
    if (file == "FindThreads") return setPackage("Threads", false);
    if (file.ends_with(".cmake") || file.find('/') != std::string::npos) return runFile(absolute(file));
    for (const std::string& folder : listOf(valueOf("CMAKE_MODULE_PATH"))) {
      std::error_code error;
      const std::string module = (fs::path(absolute(folder)) / (file + ".cmake")).lexically_normal().string();
      if (!isKnownValue(folder) || !fs::is_regular_file(module, error)) continue;
      return runFile(module);
    }
  } else if (name == "message" && !arguments.empty() && arguments[0].text == "FATAL_ERROR") {
    fail();
  } else if (name == "configure_file" && !arguments.empty()) {
    if (isKnownValue(arguments[0].text)) keepTemplate(absolute(arguments[0].text));
  } else if (!setVariables(name, arguments) && !changeText(name, arguments) && !check(name, arguments) &&
             !define(name, arguments)) {
    makeTargets(name, arguments);
  }
}

void CMakeRun::keepTemplate(const std::string& path) {
  constexpr size_t kMostTemplates = 100;
  if (found_.templates.size() >= kMostTemplates || bytes_ >= kMostScripts || !path.starts_with(root_ + "/"))
    return;
  const auto text = readRegularFile(path, kMostFile);
  if (!text) return;
  bytes_ += text->size();
  std::map<std::string, std::string>& values = found_.templates[path];
  for (size_t at = 0; at < text->size();) {
    size_t end = at;
    while (end < text->size() && isWordCharacter((*text)[end])) ++end;
    if (end > at) {
      const std::string word = text->substr(at, end - at);
      if (const std::string* const value = variables_.find(word); value && isKnownValue(*value))
        values.try_emplace(word, *value);
    }
    at = end + 1;
  }
}

CMakeProject CMakeRun::run() {
  runFolder(root_);
  // What a folder defines behind a target counts for it as well.
  for (const std::string& name : order_) {
    Target& target = targets_.at(name);
    Macros macros = target.own.macros;
    for (const std::string& linked : target.linked)
      if (const auto other = targets_.find(linked); other != targets_.end())
        macros.insert(other->second.usage.begin(), other->second.usage.end());
    const Macros& folder = found_.folders[target.folder];
    macros.insert(folder.begin(), folder.end());
    found_.targets.push_back({name, target.own.sources, std::move(macros)});
  }
  // What single files are given comes first.
  for (const auto& given : sources_)
    for (BuildTarget& target : found_.targets) {
      const bool isIn =
          std::any_of(target.sources.begin(), target.sources.end(),
                      [&](const std::string& pattern) { return isMatched(pattern, given.first); });
      if (!isIn) continue;
      Macros all = given.second;
      all.insert(target.macros.begin(), target.macros.end());
      found_.targets.insert(found_.targets.begin(), {target.name, {given.first}, std::move(all)});
      break;
    }
  return std::move(found_);
}

void CMakeRun::fail() {
  if (unknown_ > 0 || !failedOption_.empty()) return;
  const auto option = std::find_if(conditions_.rbegin(), conditions_.rend(),
                                   [&](const std::string& name) { return options_.contains(name); });
  if (option != conditions_.rend()) failedOption_ = *option;
}

CMakeProject configureByCMake(const std::string& root, BuildChecks& checks) {
  // Who meets an error switches off what needs a package that is not there, and tries again.
  constexpr size_t kMostOff = 8;
  std::set<std::string> off;
  for (;;) {
    CMakeRun run(root, checks, off);
    CMakeProject project = run.run();
    if (run.failedOption().empty() || off.size() == kMostOff || !off.insert(run.failedOption()).second)
      return project;
  }
}

}  // namespace heddle
