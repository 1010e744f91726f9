#include "server/driver/save.h"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <system_error>

#include "server/driver/chosen_finding.h"
#include "server/render/json_report.h"
#include "server/saved/saved_engine.h"

namespace heddle {
namespace {

/// Names are names of files: letters, digits, points, dashes and underscores.
bool isName(const std::string& name) {
  return !name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  });
}

int fail(const Streams& streams, const std::string& text) {
  streams.err << "heddle: error: " << text << '\n';
  return kExitUsage;
}

}  // namespace

int runSave(const SaveCommand& command, const Engine& engine, Streams streams, std::stop_token stop) {
  std::vector<SourceFile> files;
  if (!readSources(command.files, files, streams.err)) return kExitUsage;
  if (!command.name.empty() && !isName(command.name))
    return fail(streams, "--name '" + command.name + "': use letters, digits, '.', '-' and '_'");
  ExplorationInput input = explorationOf(files, command, engine, streams.err);
  const Budget budget = budgetOf(input.options, std::move(stop));
  const std::optional<ChosenFinding> chosen =
      chooseFinding(input, engine, command.finding, budget, streams.err);
  if (!chosen) return kExitUsage;
  Finding finding;
  if (chosen->finding) {
    finding = *chosen->finding;
  } else {
    const ReplayResult replayed =
        engine.replay(input.snapshot, input.options.options, chosen->schedule, budget);
    if (!replayed.ok) return fail(streams, "the schedule does not replay: " + replayed.error);
    if (replayed.failures.empty())
      return fail(streams, "nothing fails on this schedule; save one on which something does");
    finding = replayed.failures.front();
    finding.schedule = chosen->schedule;
  }
  std::string problem;
  const SavedFinding saved = saveFinding(input.snapshot, input.options.options, finding, budget, problem);
  if (!problem.empty()) return fail(streams, problem);
  const std::string folder = projectFolderOf(input.snapshot.path);
  const std::string name = command.name.empty()
                               ? std::filesystem::path(input.snapshot.path).stem().string() + "-" + saved.id
                               : command.name;
  if (const std::string error = writeSaved(folder, name, saved); !error.empty()) return fail(streams, error);
  std::error_code ignored;  // where there is no current folder, the path stays whole
  const std::filesystem::path whole = std::filesystem::path(savedFolder(folder)) / (name + ".json");
  const std::string near = std::filesystem::proximate(whole, ignored).string();
  const std::string path = near.starts_with("..") ? whole.string() : near;
  if (command.format == Format::Json) {
    const nlohmann::ordered_json json = {
        {"saved", path}, {"id", finding.id}, {"kind", toString(finding.kind)}, {"message", finding.message}};
    streams.out << dumpLine(json) << std::flush;
    return kExitNoBug;
  }
  streams.out << path << ": " << finding.message
              << "\n  heddle check and the editor run it before they explore; delete the file to "
              << "forget it\n"
              << std::flush;
  return kExitNoBug;
}

}  // namespace heddle
