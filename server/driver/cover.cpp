#include "server/driver/cover.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>

#include "analysis/pipeline/cover.h"
#include "server/driver/exploration_input.h"
#include "server/render/cover_report.h"
#include "server/render/json_report.h"

namespace heddle {

namespace {

constexpr std::string_view kSuffix = ".schedule";

/// Places under the names that the user gave, and nothing of a harness, which is not the user's.
void showAsWritten(CoverReport& report, const ExplorationInput& input) {
  const std::string& text = input.files.first->text;
  const auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  if (input.harness) takeBeyondAway(report, input.snapshot.path, lines);
  std::vector<const SourceFile*> files = input.files.others;
  files.push_back(input.files.first);
  const auto rename = [&](SourcePlace& place) {
    for (const SourceFile* file : files)
      if (place.file == file->absolute) place.file = file->given;
  };
  for (CoverSide& side : report.sides) rename(side.place);
  for (CoverFunction& function : report.functions) rename(function.place);
}

/// "" or what went wrong. Files of an older suite go: the folder holds this one.
std::string writeSuite(const std::string& folder, const CoverReport& report, const ReplayContext& context) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return folder + " cannot be made: " + error.message();
  for (const fs::directory_entry& old : fs::directory_iterator(folder, error)) {
    const std::string name = old.path().filename().string();
    const std::string stem = name.substr(0, name.find('.'));
    const bool isOurs = name == stem + std::string(kSuffix) && !stem.empty() &&
                        std::all_of(stem.begin(), stem.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (isOurs) fs::remove(old.path(), error);
  }
  for (size_t i = 0; i < report.suite.size(); ++i) {
    const std::string path = (fs::path(folder) / suiteFileName(i)).string();
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << suiteFileText(report, i, replayCommand(context, path));
    file.close();
    if (!file) return path + " cannot be written";
  }
  return "";
}

}  // namespace

int runCover(const CoverCommand& command, const Engine& engine, Streams streams, std::stop_token stop) {
  std::vector<SourceFile> files;
  if (!readSources(command.files, files, streams.err)) return kExitUsage;
  const ExplorationInput input = explorationOf(files, command, engine, streams.err);
  CoverReport report = cover(input.snapshot, input.options.options, budgetOf(input.options, std::move(stop)));
  showAsWritten(report, input);
  const ReplayContext context = replayContextOf(input, command);
  std::string problem = report.problem;
  if (problem.empty() && !command.output.empty()) problem = writeSuite(command.output, report, context);
  if (problem.empty() && !command.lcov.empty()) {
    std::ofstream lcov(command.lcov, std::ios::binary | std::ios::trunc);
    lcov << coverLcov(report);
    lcov.close();
    if (!lcov) problem = command.lcov + " cannot be written";
  }
  if (command.format == Format::Json) {
    streams.out << dumpLine(coverJson(report, files.front().given, command.output, problem)) << std::flush;
  } else if (report.problem.empty()) {
    streams.out << coverText(report, files.front().given, command.output) << std::flush;
  }
  if (!problem.empty()) {
    if (command.format != Format::Json) streams.err << "heddle: error: " << problem << '\n';
    return kExitUsage;
  }
  const bool fails = std::any_of(report.suite.begin(), report.suite.end(),
                                 [](const SuiteEntry& entry) { return !entry.fails.empty(); });
  return fails ? kExitBug : report.count(SideState::Open) != 0 ? kExitIncomplete : kExitNoBug;
}

std::optional<std::string> scheduleIn(const std::string& given) {
  if (!given.ends_with(kSuffix)) return given;
  std::ifstream file(given);
  if (!file) return std::nullopt;
  std::string schedule;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#') schedule += (schedule.empty() ? "" : " ") + line;
  return schedule;
}

}  // namespace heddle
