#include "server/driver/harness_command.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>

#include "server/driver/exploration_input.h"

namespace heddle {
namespace {

bool calls(const GeneratedHarness& harness, const std::vector<std::string>& functions) {
  return std::all_of(functions.begin(), functions.end(), [&](const std::string& function) {
    return std::find(harness.functions.begin(), harness.functions.end(), function) != harness.functions.end();
  });
}

/// The path by which a file in the folder of `from` includes `file`.
std::string includedAs(const std::string& file, const std::string& from) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = from.empty() ? fs::current_path(error) : fs::absolute(from, error).parent_path();
  const fs::path relative = fs::path(file).lexically_relative(folder.lexically_normal());
  return error || relative.empty() ? file : relative.string();
}

}  // namespace

int runHarness(const HarnessCommand& command, const Engine& engine, Streams streams) {
  std::vector<SourceFile> files;
  if (!readSources({command.file}, files, streams.err)) return kExitUsage;
  const ExplorationInput input = explorationOf(files, command, engine, streams.err);
  const HarnessPlan plan = engine.harnesses(input.snapshot, input.options.options.entry, Budget{});
  const auto refuse = [&](const std::string& why) {
    streams.err << "heddle: error: " << command.file << ": " << why << '\n';
    for (const auto& [function, reason] : plan.skipped)
      streams.err << "  " << function << ": " << reason << '\n';
    return kExitUsage;
  };
  if (!plan.problem.empty()) return refuse(plan.problem);
  if (plan.hasEntry) return refuse("it defines '" + command.options.entry + "' and needs no harness");
  if (plan.harnesses.empty())
    return refuse(
        "no calls of it are worth running side by side: no two touch the same data, one of them under a lock "
        "or atomically, and none starts a thread");
  if (command.list) {
    for (const GeneratedHarness& harness : plan.harnesses) streams.out << harness.title << '\n';
    streams.out << std::flush;
    return kExitNoBug;
  }
  const auto found =
      std::find_if(plan.harnesses.begin(), plan.harnesses.end(), [&](const GeneratedHarness& harness) {
        return calls(harness, command.functions) ||
               (command.functions.size() == 1 && harness.title == command.functions.front());
      });
  if (found == plan.harnesses.end()) return refuse("no harness calls these functions; see --list");
  const std::string text = command.comment
                               ? "// heddle: harness " + found->title + "\n"
                               : standAlone(*found, includedAs(files.front().absolute, command.output));
  if (command.output.empty()) {
    streams.out << text << std::flush;
    return kExitNoBug;
  }
  std::ofstream out(command.output, std::ios::binary | std::ios::trunc);
  out << text << std::flush;
  if (!out) {
    streams.err << "heddle: error: " << command.output
                << ": cannot be written; check the path and its permissions\n";
    return kExitUsage;
  }
  return kExitNoBug;
}

}  // namespace heddle
