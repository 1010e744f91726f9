#include "server/driver/bench.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>

#include "server/driver/bench_plot.h"
#include "server/driver/bench_table.h"
#include "server/driver/source_file.h"

namespace heddle {
namespace {

int exitCodeOf(const std::vector<BenchResult>& results) {
  int code = kExitNoBug;
  for (const BenchResult& result : results) {
    if (result.agreement == Agreement::Wrong) return kExitBug;
    if (result.agreement == Agreement::NoAnswer) code = kExitIncomplete;
  }
  return code;
}

int usage(Streams streams, const std::string& problem) {
  streams.err << "heddle: error: " << problem << '\n';
  return kExitUsage;
}

bool writeResult(const std::string& path, const std::string& text) {
  std::ofstream output(path, std::ios::binary | std::ios::trunc);
  output << text << std::flush;
  return output.good();
}

}  // namespace

int runBench(const BenchCommand& command, const Engine& engine, Streams streams) {
  const std::string suitePath = command.suite.empty() ? HEDDLE_BENCH_SUITE : command.suite;
  std::string problem;
  const std::optional<SourceFile> suite = readSource(suitePath, problem);
  if (!suite) return usage(streams, problem + " (--suite FILE names another one)");
  const std::optional<std::vector<BenchRow>> all = parseSuite(suite->text, problem);
  if (!all) return usage(streams, suitePath + ": " + problem);
  const std::optional<std::vector<BenchRow>> rows = selectRows(*all, command.names, problem);
  if (!rows) return usage(streams, problem);
  if (command.list) {
    for (const BenchRow& row : *rows) streams.out << row.name << '\n';
    return kExitNoBug;
  }
  const std::string programs = (std::filesystem::path(suite->absolute).parent_path() / "programs").string();
  std::vector<BenchResult> results;
  BenchSetting setting;
  setting.tuning = command.tuning;
  for (const BenchRow& row : *rows) {
    results.push_back(row.paperSpeedUp.empty()
                          ? runBenchRow(row, programs, engine, command.options, command.budget, setting)
                          : runInParallel(row, programs, engine, command.options, command.budget,
                                          std::max(2U, command.options.workers), setting));
    if (command.costOfDefaults)
      results.back().costOfDefaults =
          costOfDefaults(row, programs, engine, command.options, command.budget, setting);
    const BenchResult& result = results.back();
    streams.err << row.name << ": " << result.verdict << ", " << result.cpuSeconds << " s"
                << (result.problem.empty() ? "" : ", " + result.problem) << std::endl;
  }
  if (!command.plot.empty() && !writeResult(command.plot, plotBench(results)))
    return usage(streams, command.plot + ": cannot be written; check the path and its permissions");
  const std::string text = renderBench(results, command.format);
  if (command.output.empty())
    streams.out << text << std::flush;
  else if (!writeResult(command.output, text))
    return usage(streams, command.output + ": cannot be written; check the path and its permissions");
  return exitCodeOf(results);
}

}  // namespace heddle
