#include "analysis/compile/compile_command.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "analysis/compile/command_database.h"
#include "analysis/compile/inferred_flags.h"
#include "analysis/compile/made_header.h"
#include "analysis/compile/named_database.h"
#include "analysis/compile/older_system.h"
#include "analysis/compile/option_filter.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr size_t kFlagsLimit = size_t{1} << 20;

constexpr std::array<std::string_view, 4> kFolderOptions = {"-I", "-isystem", "-iquote", "-idirafter"};

CompileCommand commandOf(std::string directory, const std::vector<std::string>& options, std::string source) {
  FilteredOptions filtered = filterOptions(options);
  return {std::move(directory), std::move(filtered.kept), std::move(source), std::move(filtered.dropped)};
}

/// The options of an entry: without the compiler and without the file itself, which are no options to report
/// as dropped.
std::vector<std::string> optionsOf(const DatabaseEntry& entry, const std::string& path) {
  std::vector<std::string> result;
  for (size_t i = 1; i < entry.arguments.size(); ++i) {
    const std::string& argument = entry.arguments[i];
    bool isOption = !argument.empty() && argument[0] == '-';
    // "-o x" is named like an input only when the value is the file itself; the filter drops the rest.
    if (!isOption && !argument.empty() && samePath(absolutePath(argument, entry.directory), path)) continue;
    result.push_back(argument);
  }
  return result;
}

/// Both read the file in the same way. A library that is built as shared and as static code has each file
/// twice, with and without `-DPIC`.
bool isSameReading(const CompileCommand& a, const CompileCommand& b) {
  const auto read = [](const CompileCommand& command) {
    std::vector<std::string> arguments = command.arguments;
    const std::array<std::string, 2> code = {"-D", "PIC"};
    const auto at = std::search(arguments.begin(), arguments.end(), code.begin(), code.end());
    if (at != arguments.end()) arguments.erase(at, at + 2);
    return arguments;
  };
  return a.directory == b.directory && read(a) == read(b);
}

std::optional<CompileCommand> fromDatabase(const std::string& database, const std::string& path,
                                           std::string& problem) {
  constexpr size_t kMostReadings = 4;
  std::vector<CompileCommand> commands;
  for (const DatabaseEntry& entry : findInDatabase(database, path, problem)) {
    CompileCommand command = commandOf(entry.directory, optionsOf(entry, path), "");
    const bool isKnown = std::any_of(commands.begin(), commands.end(), [&](const CompileCommand& known) {
      return isSameReading(known, command);
    });
    if (!isKnown && commands.size() < kMostReadings) commands.push_back(std::move(command));
  }
  if (commands.empty()) return std::nullopt;
  for (size_t i = 0; i < commands.size(); ++i) {
    commands[i].source = "compile_commands.json (" + database + ")";
    if (commands.size() > 1)
      commands[i].source += ", entry " + std::to_string(i + 1) + " of " + std::to_string(commands.size());
  }
  CompileCommand first = std::move(commands.front());
  first.others.assign(std::make_move_iterator(commands.begin() + 1), std::make_move_iterator(commands.end()));
  return first;
}

std::optional<CompileCommand> fromFlagsFile(const std::string& file, const std::string& directory) {
  std::optional<std::string> text = readRegularFile(file, kFlagsLimit);
  if (!text) return std::nullopt;
  std::vector<std::string> options;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos) continue;
    options.push_back(line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1));
  }
  return commandOf(directory, options, "compile_flags.txt (" + file + ")");
}

std::vector<std::string> parentsOf(const std::string& path) {
  std::vector<std::string> result;
  for (fs::path at = fs::path(path).lexically_normal().parent_path(); !at.empty(); at = at.parent_path()) {
    result.push_back(at.string());
    if (at == at.parent_path()) break;
  }
  return result;
}

}  // namespace

CompileCommand findCompileCommand(const std::string& path, std::string* problem, InferredFlags* inferred) {
  std::string firstProblem;
  std::vector<std::string> parents = parentsOf(path);
  auto finish = [&](CompileCommand command) {
    if (problem) *problem = firstProblem;
    return command;
  };
  for (const std::string& parent : parents) {
    for (std::string_view below : {"", "build"}) {
      std::string database = (fs::path(parent) / below / "compile_commands.json").string();
      std::string found;
      std::optional<CompileCommand> command = fromDatabase(database, path, found);
      if (firstProblem.empty()) firstProblem = found;
      if (command) return finish(std::move(*command));
    }
  }
  for (const std::string& parent : parents) {
    std::string file = (fs::path(parent) / "compile_flags.txt").string();
    if (std::optional<CompileCommand> command = fromFlagsFile(file, parent))
      return finish(std::move(*command));
  }
  std::string directory = parents.empty() ? "/" : parents.front();
  CompileCommand command{
      directory, {"-std=gnu17", "-iquote", directory, "-idirafter", directory}, "inferred", {}};
  InferredCommand more = inferred ? inferred->of(path) : InferredCommand();
  std::string words;
  for (const std::string& flag : more.flags) {
    words += (words.empty() ? "" : " ") + flag;
    command.arguments.push_back(flag);
  }
  for (const auto& [made, text] : more.made)
    words += "; " + made +
             (text.starts_with(kGoneHeader)   ? " empty, as the C library has it no more"
              : text.starts_with(kMadeInPart) ? " in part, as far as the text of a script shows it"
                                              : " as a build may make it for this system");
  command.made = std::move(more.made);
  command.targets = std::move(more.targets);
  command.outer = std::move(more.outer);
  if (!words.empty()) command.source += " (" + words + ")";
  return finish(std::move(command));
}

std::optional<CompileCommand> commandInDatabase(const std::string& folder, const std::string& path,
                                                std::string& problem) {
  std::error_code error;
  const fs::path given = fs::absolute(folder, error);
  const fs::path database = fs::is_directory(given, error) ? given / "compile_commands.json" : given;
  if (!fs::is_regular_file(database, error)) {
    problem = database.string() + ": no such file; name the folder that holds compile_commands.json";
    return std::nullopt;
  }
  std::optional<CompileCommand> command = fromDatabase(database.string(), path, problem);
  if (!command && problem.empty()) problem = path + " is not in " + database.string();
  return command;
}

CompileCommand commandFromFlags(const std::string& path, const std::vector<std::string>& flags) {
  // Flags on a command line mean paths as the shell sees them.
  std::error_code error;
  std::string directory = fs::current_path(error).string();
  if (error) directory = fs::path(path).parent_path().string();
  return commandOf(std::move(directory), flags, "command line");
}

bool namesOnlyFolders(const CompileCommand& typed) {
  const std::vector<std::string>& arguments = typed.arguments;
  if (arguments.size() % 2 != 0) return false;
  for (size_t i = 0; i < arguments.size(); i += 2)
    if (std::find(kFolderOptions.begin(), kFolderOptions.end(), arguments[i]) == kFolderOptions.end())
      return false;
  return !arguments.empty();
}

CompileCommand withFolders(CompileCommand found, const CompileCommand& typed) {
  std::vector<std::string> arguments;
  for (size_t i = 0; i + 1 < typed.arguments.size(); i += 2) {
    arguments.push_back(typed.arguments[i]);
    arguments.push_back(absolutePath(typed.arguments[i + 1], typed.directory));
  }
  std::string words;
  for (const std::string& argument : arguments) words += (words.empty() ? "" : " ") + argument;
  found.source += ", with " + words + " from the command line";
  for (CompileCommand& other : found.others) other = withFolders(std::move(other), typed);
  found.arguments.insert(found.arguments.begin(), arguments.begin(), arguments.end());
  found.dropped.insert(found.dropped.end(), typed.dropped.begin(), typed.dropped.end());
  return found;
}

}  // namespace heddle
