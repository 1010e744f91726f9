#include "server/driver/exploration_input.h"

#include <algorithm>
#include <ostream>
#include <set>
#include <sstream>

#include "server/config/config_file.h"
#include "server/driver/configured.h"
#include "server/source/harness.h"

namespace heddle {
namespace {

Snapshot snapshotOf(const SourceFile& file, const CommonOptions& common, const Engine& engine,
                    std::ostream& err) {
  Snapshot snapshot;
  snapshot.path = file.absolute;
  snapshot.text = file.text;
  snapshot.environment = common.environment;
  if (common.flagsGiven) {
    snapshot.command = engine.commandFromFlags(file.absolute, common.flags);
    for (const std::string& dropped : snapshot.command.dropped)
      err << "heddle: warning: flag '" << dropped
          << "' is ignored: it could load or run code, or changes the output\n";
  } else {
    std::string problem;
    snapshot.command = engine.findCommand(file.absolute, &problem);
    if (!problem.empty()) err << "heddle: warning: " << problem << '\n';
  }
  return snapshot;
}

ExplorationInput inputOf(ProgramFiles files, CommonOptions common, const Engine& engine, std::ostream& err) {
  ExplorationInput input;
  input.files = std::move(files);
  input.snapshot = snapshotOf(*input.files.first, common, engine, err);
  for (const SourceFile* other : input.files.others) {
    Snapshot unit = snapshotOf(*other, common, engine, err);
    input.snapshot.units.push_back({std::move(unit.path), std::move(unit.text), std::move(unit.command)});
  }
  input.snapshot.onlyNeededUnits = input.files.onlyNeeded;
  input.options = std::move(common);
  const SourceFile& first = *input.files.first;
  if (const auto harness = harnessText(first.text, input.options.options.entry)) {
    const PositionMap map(first.text);
    const TextPosition at = map.positionOf(harness->comment.begin, PositionEncoding::Utf8);
    input.harness = true;
    input.harnessPlace = {first.absolute, at.line + 1, at.character + 1, ""};
    input.snapshot.text = harness->text;
    input.options.options.entry = kHarnessEntry;
  }
  return input;
}

template <typename Result>
void showAsGivenAll(Result& result, const ProgramFiles& files) {
  showAsGiven(result, *files.first);
  for (const SourceFile* other : files.others) showAsGiven(result, *other);
}

}  // namespace

std::string ExplorationInput::withoutHarness(const std::string& path, const std::string& text) const {
  if (!harness || path != snapshot.path) return text;
  const std::string added = snapshot.text.substr(std::min(snapshot.text.size(), files.first->text.size()));
  return text.ends_with(added) ? text.substr(0, text.size() - added.size()) : text;
}

void ExplorationInput::showAsWritten(Report& report) const {
  const PositionMap map(files.first->text);
  MovedPlaces places(files.first->absolute, map, map);
  if (harness) places.setBeyond(harnessPlace);
  places.move(report);
  showAsGivenAll(report, files);
}

void ExplorationInput::showAsWritten(ReplayResult& result) const {
  const PositionMap map(files.first->text);
  MovedPlaces places(files.first->absolute, map, map);
  if (harness) places.setBeyond(harnessPlace);
  for (Step& step : result.steps) places.move(step.place);
  for (InputValue& value : result.inputs) places.move(value.place);
  for (Finding& failure : result.failures) places.move(failure);
  showAsGivenAll(result, files);
}

std::vector<ExplorationInput> explorationsOf(const std::vector<SourceFile>& files,
                                             const CommonOptions& common, const Engine& engine,
                                             std::ostream& err) {
  std::ostringstream told;  // the same file may hold for several programs
  const CommonOptions configured = withConfiguration(common, files.front().absolute, told);
  const auto defines = [&](const SourceFile& file) -> std::optional<bool> {
    if (!engine.definesFunction) return std::nullopt;
    std::ostringstream again;  // the exploration says it
    const Snapshot unit = snapshotOf(file, configured, engine, again);
    return engine.definesFunction(unit, configured.options.entry);
  };
  std::vector<ExplorationInput> inputs;
  for (ProgramFiles& program : programsOf(files, configured.options.entry, defines)) {
    const CommonOptions own = withConfiguration(common, program.first->absolute, told);
    inputs.push_back(inputOf(std::move(program), own, engine, err));
  }
  std::set<std::string> lines;
  std::istringstream list(told.str());
  for (std::string line; std::getline(list, line);)
    if (lines.insert(line).second) err << line << '\n';
  return inputs;
}

ExplorationInput explorationOf(const std::vector<SourceFile>& files, const CommonOptions& common,
                               const Engine& engine, std::ostream& err) {
  return inputOf(programOf(files, common.onlyNeeded), withConfiguration(common, files.front().absolute, err),
                 engine, err);
}

}  // namespace heddle
