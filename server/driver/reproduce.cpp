#include "server/driver/reproduce.h"

#include <algorithm>
#include <charconv>
#include <ostream>

#include "server/driver/exploration_input.h"
#include "server/native/native_build.h"
#include "server/render/json_report.h"

namespace heddle {

namespace {

/// The finding that the user names by its number in the report, from 1, or its id. Null: there is none.
const Finding* chosen(const Report& report, const std::string& name) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc() && end == name.data() + name.size() && number >= 1 &&
      number <= report.findings.size())
    return &report.findings[number - 1];
  for (const Finding& finding : report.findings)
    if (finding.id == name) return &finding;
  return nullptr;
}

std::string listOf(const Report& report) {
  std::string out;
  for (size_t i = 0; i < report.findings.size(); ++i)
    out += "  " + std::to_string(i + 1) + "  " + report.findings[i].id + "  " + report.findings[i].message +
           "\n";
  return out.empty() ? "  there are none\n" : out;
}

/// A schedule has blanks or a star; ids and numbers have neither.
bool isSchedule(const std::string& name) {
  return name.find_first_of("* |") != std::string::npos || (name.size() > 1 && name[0] == 'T');
}

}  // namespace

int runReproduce(const ReproduceCommand& command, const Engine& engine, Streams streams,
                 std::stop_token stop) {
  std::vector<SourceFile> files;
  if (!readSources(command.files, files, streams.err)) return kExitUsage;
  const ExplorationInput input = explorationOf(files, command, engine, streams.err);
  const Budget budget = budgetOf(input.options, std::move(stop));
  std::string schedule = command.finding;
  std::optional<Property> kind;
  if (!isSchedule(command.finding)) {
    const Report report = engine.analyze(input.snapshot, input.options.options, budget, Observer{});
    const Finding* finding = chosen(report, command.finding);
    if (!finding) {
      streams.err << "heddle: error: no finding '" << command.finding << "'; the findings are\n"
                  << listOf(report);
      return kExitUsage;
    }
    schedule = finding->schedule;
    kind = finding->kind;
  }
  const NativeProgram native = reproducer(input.snapshot, input.options.options, schedule, kind, Budget{});
  std::string problem = native.problem;
  if (problem.empty()) problem = buildNative(native, command.output, command.compilerOptions);
  if (command.format == Format::Json) {
    nlohmann::ordered_json json = {
        {"file", files.front().given}, {"schedule", schedule},      {"output", command.output},
        {"finding", native.finding},   {"threads", native.threads}, {"steps", native.steps},
        {"sites", native.sites},       {"notes", native.notes},     {"problem", problem}};
    streams.out << dumpLine(json) << std::flush;
  } else if (problem.empty()) {
    streams.out << command.output << ": fails each time: " << native.finding << "\n  " << native.threads
                << " threads, " << native.steps << " steps at " << native.sites << " places\n";
    for (const std::string& note : native.notes) streams.out << "  but " << note << '\n';
    streams.out << std::flush;
  }
  if (problem.empty()) return kExitNoBug;
  if (command.format != Format::Json) streams.err << "heddle: error: " << problem << '\n';
  return kExitUsage;
}

}  // namespace heddle
