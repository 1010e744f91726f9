#include "server/driver/bench_run.h"

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

/// "covered 12 of 14 branch sides, by interferences 9+2+1; 32 scenarios, 15 not realizable; found in
/// execution 23/24"
void takeCoverage(const std::string& text, BenchResult& result) {
  if (!text.starts_with("covered ")) return;
  const auto numbersAfter = [&](const std::string& words) {
    std::vector<uint64_t> numbers;
    const size_t at = text.find(words);
    if (at == std::string::npos) return numbers;
    bool inNumber = false;
    for (size_t i = at + words.size(); i < text.size(); ++i) {
      const char c = text[i];
      if (c >= '0' && c <= '9') {
        if (!inNumber) numbers.push_back(0);
        numbers.back() = numbers.back() * 10 + static_cast<uint64_t>(c - '0');
        inNumber = true;
      } else if (c == '+' || c == '/') {
        inNumber = false;
      } else {
        break;
      }
    }
    return numbers;
  };
  const auto one = [](const std::vector<uint64_t>& numbers) { return numbers.empty() ? 0 : numbers.front(); };
  result.branches = one(numbersAfter(" of "));
  result.covered = numbersAfter("by interferences ");
  result.scenarios = one(numbersAfter("; "));
  result.found = numbersAfter("found in execution ");
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
  for (const lsp::json& bound : report.at("bounds")) takeCoverage(bound.get<std::string>(), result);
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
                        Options options, std::chrono::milliseconds budget) {
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
  for (const auto& [property, ignored] : row.expected) options.properties.insert(property);
  const auto work = [&] {
    Snapshot snapshot;
    snapshot.path = file->absolute;
    snapshot.text = file->text;
    snapshot.command = engine.commandFromFlags(file->absolute, row.flags);
    return dumpLine(reportJson(engine.analyze(snapshot, options, Budget::forDuration(budget), Observer{})));
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

}  // namespace heddle
