#include "server/driver/bench_run.h"

#include <algorithm>
#include <array>
#include <variant>

#include "protocol/json.h"
#include "server/driver/child_process.h"
#include "server/driver/source_file.h"
#include "server/driver/strategy_options.h"
#include "server/render/json_report.h"

namespace heddle {
namespace {

/// How long a run may go on after its budget before it counts as hanging.
constexpr std::chrono::milliseconds kGrace{20'000};

std::string expectedText(const std::map<std::string, std::string>& expected,
                         const std::map<std::string, std::string>& actual) {
  std::string text;
  for (const auto& [property, ignored] : expected) {
    const auto found = actual.find(property);
    const std::string verdict = found == actual.end() ? "none" : found->second;
    if (expected.size() == 1) return verdict;
    text += (text.empty() ? "" : " ") + property + '=' + verdict;
  }
  return text;
}

void takeReport(const lsp::json& report, BenchResult& result) {
  std::map<std::string, std::string> actual;
  for (const auto& [property, verdict] : report.at("properties").items())
    actual[property] = verdict.get<std::string>();
  const auto overall = report.at("verdict").get<std::string>();
  if (actual.empty())  // does not compile or cannot be modelled
    for (const auto& [property, ignored] : result.row.expected) actual[property] = overall;
  result.verdict = expectedText(result.row.expected, actual);
  result.agreement = compareVerdicts(result.row.expected, actual);
  if (report.contains("problem")) result.problem = report.at("problem").at("text").get<std::string>();
  const lsp::json& stats = report.at("stats");
  result.paths = stats.at("paths").get<uint64_t>();
  result.executions = stats.at("executions").get<uint64_t>();
  result.queries = stats.at("queries").get<uint64_t>();
  if (const auto coverage = report.find("coverage"); coverage != report.end()) {
    result.branches = coverage->at("branches").get<uint64_t>();
    result.covered = coverage->at("by_interferences").get<std::vector<uint64_t>>();
    result.scenarios = coverage->at("scenarios").get<uint64_t>();
    result.found = coverage->at("finding_runs").get<std::vector<uint64_t>>();
  }
  if (!stats.at("first_finding_seconds").is_null())
    result.firstFindingSeconds = stats.at("first_finding_seconds").get<double>();
}

}  // namespace

Agreement compareVerdicts(const std::map<std::string, std::string>& expected,
                          const std::map<std::string, std::string>& actual) {
  const std::string violated = toString(Verdict::Violated), verified = toString(Verdict::Verified);
  Agreement agreement = Agreement::AsExpected;
  for (const auto& [property, wanted] : expected) {
    const auto found = actual.find(property);
    const std::string got = found == actual.end() ? std::string() : found->second;
    if (got == wanted) continue;
    const bool claimsBug = got == violated, claimsNone = got == verified;
    if ((claimsBug && wanted != violated) || (claimsNone && wanted == violated)) return Agreement::Wrong;
    agreement = Agreement::NoAnswer;
  }
  return agreement;
}

BenchResult runBenchRow(const BenchRow& row, const std::string& programFolder, const Engine& engine,
                        Options options, std::chrono::milliseconds budget, const BenchSetting& setting) {
  BenchResult result;
  result.row = row;
  if (!row.strategy.empty()) options.strategy = row.strategy;
  options.census |= row.census;
  RawStrategy raw;
  raw.without = row.without;
  raw.inputs = row.inputs;
  const auto problem = row.strategy.empty() ? std::nullopt : takeStrategyOptions(raw, options.strategy);
  result.strategy = options.strategy + (options.census ? " + census" : "");
  if (problem) {
    result.verdict = result.problem = *problem;
    return result;
  }
  const std::optional<SourceFile> file = readSource(programFolder + '/' + row.file, result.problem);
  if (!file) {
    result.verdict = "no program";
    return result;
  }
  options.properties.clear();
  options.smallWitnesses = false;  // the time to the verdict is measured
  for (const auto& [name, ignored] : row.expected)
    if (const std::optional<Property> property = parseProperty(name)) options.properties.insert(*property);
  options.properties.insert(setting.alsoProperties.begin(), setting.alsoProperties.end());
  const auto work = [&] {
    Snapshot snapshot;
    snapshot.environment = setting.environment;
    snapshot.path = file->absolute;
    snapshot.text = file->text;
    snapshot.command = engine.commandFromFlags(file->absolute, row.flags);
    const Budget box = Budget::forDuration(budget).withTuning(setting.tuning);
    return dumpLine(reportJson(engine.analyze(snapshot, options, box, Observer{})));
  };
  const auto limit = budget.count() == 0 ? budget : budget + kGrace;
  const ChildOutcome outcome = runInChild(work, limit);
  result.cpuSeconds = outcome.cpuSeconds;
  result.wallSeconds = outcome.wallSeconds;
  result.peakRssMb = outcome.peakRssMb;
  if (!outcome.finished) {
    result.verdict = result.problem = outcome.problem;
    return result;
  }
  const auto parsed = lsp::parseJson(outcome.result);
  const lsp::json* const report = std::get_if<lsp::json>(&parsed);
  if (!report) {
    result.verdict = result.problem = "damaged report";
    return result;
  }
  takeReport(*report, result);
  return result;
}

namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

BenchResult runInParallel(const BenchRow& row, const std::string& programFolder, const Engine& engine,
                          Options options, std::chrono::milliseconds budget, unsigned workers,
                          const BenchSetting& setting) {
  constexpr size_t kMost = 5;
  constexpr double kLong = 10;  // seconds after which no further pair begins
  std::vector<double> cpu, wall, parallelCpu, parallelWall, ratios;
  BenchResult result;
  BenchResult::Parallel parallel;
  parallel.workers = workers;
  const auto begun = std::chrono::steady_clock::now();
  do {
    options.workers = 1;
    result = runBenchRow(row, programFolder, engine, options, budget, setting);
    options.workers = workers;
    const BenchResult together = runBenchRow(row, programFolder, engine, options, budget, setting);
    parallel.same = parallel.same && together.verdict == result.verdict && together.paths == result.paths &&
                    together.executions == result.executions && together.queries == result.queries;
    cpu.push_back(result.cpuSeconds);
    wall.push_back(result.wallSeconds);
    parallelCpu.push_back(together.cpuSeconds);
    parallelWall.push_back(together.wallSeconds);
    ratios.push_back(together.wallSeconds > 0 ? result.wallSeconds / together.wallSeconds : 1);
  } while (wall.size() < kMost &&
           std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() < kLong);
  result.cpuSeconds = median(cpu);
  result.wallSeconds = median(wall);
  parallel.cpuSeconds = median(parallelCpu);
  parallel.wallSeconds = median(parallelWall);
  parallel.speedUp = median(ratios);
  result.parallel = parallel;
  return result;
}

double costOfDefaults(const BenchRow& row, const std::string& programFolder, const Engine& engine,
                      const Options& options, std::chrono::milliseconds budget, const BenchSetting& setting) {
  BenchSetting with = setting, without = setting;
  with.alsoProperties = {Property::Uninitialized};
  without.environment.noSpuriousWakeups = true;
  without.environment.noWeakFailures = true;
  constexpr size_t kRuns = 3;
  std::array<double, kRuns> costly{}, cheap{};
  for (size_t i = 0; i < kRuns; ++i) {
    costly[i] = runBenchRow(row, programFolder, engine, options, budget, with).cpuSeconds;
    cheap[i] = runBenchRow(row, programFolder, engine, options, budget, without).cpuSeconds;
  }
  std::sort(costly.begin(), costly.end());
  std::sort(cheap.begin(), cheap.end());
  return cheap[kRuns / 2] > 0 ? costly[kRuns / 2] / cheap[kRuns / 2] : 1;
}

}  // namespace heddle
