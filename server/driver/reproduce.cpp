#include "server/driver/reproduce.h"

#include <ostream>

#include "server/driver/chosen_finding.h"
#include "server/driver/exploration_input.h"
#include "server/native/native_build.h"
#include "server/render/json_report.h"

namespace heddle {

int runReproduce(const ReproduceCommand& command, const Engine& engine, Streams streams,
                 std::stop_token stop) {
  std::vector<SourceFile> files;
  if (!readSources(command.files, files, streams.err)) return kExitUsage;
  const ExplorationInput input = explorationOf(files, command, engine, streams.err);
  const Budget budget = budgetOf(input.options, std::move(stop));
  const std::optional<ChosenFinding> chosen =
      chooseFinding(input, engine, command.finding, budget, streams.err);
  if (!chosen) return kExitUsage;
  const std::string& schedule = chosen->schedule;
  const std::optional<Property> kind = chosen->finding ? std::optional(chosen->finding->kind) : std::nullopt;
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
