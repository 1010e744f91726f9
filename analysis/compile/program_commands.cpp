#include "analysis/compile/program_commands.h"

#include <algorithm>
#include <set>
#include <string>

namespace heddle {
namespace {

bool hasMacro(const CompileCommand& command, const std::string& name) {
  return std::any_of(command.arguments.begin(), command.arguments.end(), [&](const std::string& argument) {
    return argument == "-D" + name || argument.starts_with("-D" + name + "=");
  });
}

void readAsIn(const std::string& target, CompileCommand& command) {
  const auto found = std::find_if(command.targets.begin(), command.targets.end(),
                                  [&](const TargetFlags& one) { return one.name == target; });
  if (found == command.targets.end() || found == command.targets.begin()) return;
  std::vector<std::string>& arguments = command.arguments;
  for (const std::string& flag : command.targets.front().flags)
    if (const auto at = std::find(arguments.begin(), arguments.end(), flag); at != arguments.end())
      arguments.erase(at);
  arguments.insert(arguments.end(), found->flags.begin(), found->flags.end());
  std::rotate(command.targets.begin(), found, found + 1);
  command.source += ", with";
  for (const std::string& flag : command.targets.front().flags) command.source += " " + flag;
  command.source += " instead, as another file of the program is compiled";
}

}  // namespace

void readAsOneProgram(CompileCommand& first, const std::vector<CompileCommand*>& others) {
  std::vector<CompileCommand*> all{&first};
  for (CompileCommand* other : others) {
    if (!first.targets.empty()) readAsIn(first.targets.front().name, *other);
    all.push_back(other);
  }
  std::set<std::string> switches;
  for (const CompileCommand* command : all) switches.insert(command->outer.begin(), command->outer.end());
  for (CompileCommand* command : all) {
    if (!command->source.starts_with("inferred")) continue;
    for (const std::string& name : switches) {
      if (hasMacro(*command, name)) continue;
      command->arguments.push_back("-D" + name);
      command->source += ", with -D" + name + " as another file of the program";
    }
  }
}

}  // namespace heddle
