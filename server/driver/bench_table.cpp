#include "server/driver/bench_table.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include "protocol/json.h"

#include "server/render/json_report.h"

namespace heddle {
namespace {

using Cells = std::vector<std::string>;

const Cells kTitles = {"name",        "strategy",   "verdict", "expected", "ok",        "paths",
                       "paper paths", "runs",       "queries", "CPU s",    "wall s",    "found s",
                       "MiB",         "defaults x", "target",  "met",      "best peer", "paper"};
constexpr size_t kFirstNumber = 5, kLastNumber = 14;

/// The columns of a table of con2colic, beside those of the paper.
const Cells kCoverageTitles = {"name",        "strategy", "verdict", "ok",   "branches",
                               "k = 0, 1, …", "covered",  "max k",   "runs", "found in run",
                               "scenarios",   "CPU s",    "MiB",     "paper"};
constexpr size_t kFirstCoverage = 4, kLastCoverage = 12;

/// The columns of a table that compares several workers with one.
const Cells kParallelTitles = {
    "name", "strategy",    "verdict", "ok",         "paths", "paper paths", "workers",
    "same", "wall s, one", "wall s",  "CPU s, one", "CPU s", "speed-up",    "paper's, 4 cores"};
constexpr size_t kFirstParallel = 4, kLastParallel = 13;

std::string seconds(double value) {
  if (value < 0) return "-";
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), value < 1 ? "%.3f" : value < 100 ? "%.2f" : "%.0f", value);
  return text.data();
}

std::string ratioText(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.2f", value);
  return text.data();
}

std::string shortNumber(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%g", value);
  return text.data();
}

std::string expectedText(const BenchRow& row) {
  std::string text;
  for (const auto& [property, verdict] : row.expected) {
    if (row.expected.size() == 1) return verdict;
    text += (text.empty() ? "" : " ") + property + '=' + verdict;
  }
  return text;
}

const char* agreementText(Agreement agreement) {
  switch (agreement) {
    case Agreement::AsExpected:
      return "yes";
    case Agreement::NoAnswer:
      return "no answer";
    case Agreement::Wrong:
      return "WRONG";
  }
  return "";
}

std::string orDash(const std::string& text) {
  return text.empty() ? "-" : text;
}

Cells cellsOf(const BenchResult& result) {
  const BenchRow& row = result.row;
  return {row.name,
          result.strategy,
          result.verdict,
          expectedText(row),
          agreementText(result.agreement),
          std::to_string(result.paths),
          row.paperPaths ? std::to_string(*row.paperPaths) : "-",
          std::to_string(result.executions),
          std::to_string(result.queries),
          seconds(result.cpuSeconds),
          seconds(result.wallSeconds),
          seconds(result.firstFindingSeconds),
          std::to_string(result.peakRssMb),
          result.costOfDefaults < 0 ? "-" : ratioText(result.costOfDefaults),
          row.targetSeconds ? shortNumber(*row.targetSeconds) : "-",
          !row.targetSeconds   ? "-"
          : result.targetMet() ? "yes"
                               : "no",
          orDash(row.peer),
          orDash(row.paper)};
}

std::string listed(const std::vector<uint64_t>& numbers, const char* between) {
  std::string out;
  for (const uint64_t number : numbers) out += (out.empty() ? "" : between) + std::to_string(number);
  return orDash(out);
}

Cells coverageCells(const BenchResult& result) {
  uint64_t covered = 0;
  size_t most = 0;
  for (size_t k = 0; k < result.covered.size(); ++k) {
    covered += result.covered[k];
    if (result.covered[k] != 0) most = k;
  }
  return {result.row.name,
          result.strategy,
          result.verdict,
          agreementText(result.agreement),
          std::to_string(result.branches),
          listed(result.covered, "+"),
          std::to_string(covered),
          std::to_string(most),
          std::to_string(result.executions),
          listed(result.found, "/"),
          std::to_string(result.scenarios),
          seconds(result.cpuSeconds),
          std::to_string(result.peakRssMb),
          orDash(result.row.paper)};
}

Cells parallelCells(const BenchResult& result) {
  const BenchRow& row = result.row;
  const BenchResult::Parallel& parallel = *result.parallel;
  return {row.name,
          result.strategy,
          result.verdict,
          agreementText(result.agreement),
          std::to_string(result.paths),
          row.paperPaths ? std::to_string(*row.paperPaths) : "-",
          std::to_string(parallel.workers),
          parallel.same ? "yes" : "NO",
          seconds(result.wallSeconds),
          seconds(parallel.wallSeconds),
          seconds(result.cpuSeconds),
          seconds(parallel.cpuSeconds),
          ratioText(parallel.speedUp),
          orDash(row.paperSpeedUp)};
}

/// A kind of table: its columns, the first and the last one with numbers, and what a row has there.
struct Layout {
  const Cells& titles;
  size_t firstNumber, lastNumber;
  bool (*fits)(const BenchResult&);
  Cells (*cells)(const BenchResult&);
};

/// The first one that fits all rows of a section is taken.
const std::array<Layout, 3> kLayouts = {
    Layout{kParallelTitles, kFirstParallel, kLastParallel,
           [](const BenchResult& result) { return result.parallel.has_value(); }, parallelCells},
    Layout{kCoverageTitles, kFirstCoverage, kLastCoverage,
           [](const BenchResult& result) { return result.strategy.starts_with("con2colic"); }, coverageCells},
    Layout{kTitles, kFirstNumber, kLastNumber, [](const BenchResult&) { return true; }, cellsOf}};

struct Section {
  std::string title;
  const Layout* layout = nullptr;
  std::vector<Cells> rows;
  const Cells& titles() const { return layout->titles; }
  bool isNumber(size_t column) const { return column >= layout->firstNumber && column <= layout->lastNumber; }
};

std::vector<Section> sectionsOf(const std::vector<BenchResult>& results) {
  std::vector<Section> sections;
  for (const BenchResult& result : results) {
    if (sections.empty() || sections.back().title != result.row.section) {
      const auto fits = [&](const Layout& layout) {
        return std::all_of(results.begin(), results.end(), [&](const BenchResult& r) {
          return r.row.section != result.row.section || layout.fits(r);
        });
      };
      sections.push_back({result.row.section, &*std::find_if(kLayouts.begin(), kLayouts.end(), fits), {}});
    }
    sections.back().rows.push_back(sections.back().layout->cells(result));
  }
  return sections;
}

std::string padded(const std::string& text, size_t width, bool right) {
  const std::string space(width > text.size() ? width - text.size() : 0, ' ');
  return right ? space + text : text + space;
}

std::string tableText(const Section& section) {
  std::vector<size_t> widths;
  const Cells& titles = section.titles();
  for (size_t column = 0; column < titles.size(); ++column) {
    size_t width = titles[column].size();
    for (const Cells& cells : section.rows) width = std::max(width, cells[column].size());
    widths.push_back(width);
  }
  const auto line = [&](const Cells& cells) {
    std::string out;
    for (size_t column = 0; column < cells.size(); ++column) {
      out += (column == 0 ? "" : "  ") + padded(cells[column], widths[column], section.isNumber(column));
    }
    return out.substr(0, out.find_last_not_of(' ') + 1) + '\n';
  };
  std::string out = (section.title.empty() ? "" : section.title + '\n') + line(titles);
  for (const Cells& cells : section.rows) out += line(cells);
  return out;
}

std::string tableMarkdown(const Section& section) {
  const auto line = [](const Cells& cells) {
    std::string out = "|";
    for (const std::string& cell : cells) out += ' ' + cell + " |";
    return out + '\n';
  };
  std::string out = section.title.empty() ? "" : "### " + section.title + "\n\n";
  out += line(section.titles()) + '|';
  for (size_t column = 0; column < section.titles().size(); ++column)
    out += section.isNumber(column) ? "---:|" : "---|";
  out += '\n';
  for (const Cells& cells : section.rows) out += line(cells);
  return out;
}

nlohmann::ordered_json resultJson(const BenchResult& result) {
  const BenchRow& row = result.row;
  nlohmann::ordered_json object = {{"section", row.section},
                                   {"name", row.name},
                                   {"file", row.file},
                                   {"flags", row.flags},
                                   {"strategy", result.strategy},
                                   {"verdict", result.verdict},
                                   {"expected", row.expected},
                                   {"ok", agreementText(result.agreement)},
                                   {"paths", result.paths},
                                   {"paper_paths", nullptr},
                                   {"executions", result.executions},
                                   {"queries", result.queries},
                                   {"cpu_seconds", result.cpuSeconds},
                                   {"wall_seconds", result.wallSeconds},
                                   {"first_finding_seconds", nullptr},
                                   {"peak_rss_mb", result.peakRssMb},
                                   {"target_seconds", nullptr},
                                   {"target_met", nullptr},
                                   {"best_peer", row.peer},
                                   {"paper", row.paper}};
  if (row.paperPaths) object["paper_paths"] = *row.paperPaths;
  if (!result.covered.empty())
    object["coverage"] = {{"branches", result.branches},
                          {"by_interferences", result.covered},
                          {"scenarios", result.scenarios},
                          {"finding_executions", result.found}};
  if (result.firstFindingSeconds >= 0) object["first_finding_seconds"] = result.firstFindingSeconds;
  if (row.targetSeconds) {
    object["target_seconds"] = *row.targetSeconds;
    object["target_met"] = result.targetMet();
  }
  if (result.parallel)
    object["parallel"] = {
        {"workers", result.parallel->workers},        {"same", result.parallel->same},
        {"cpu_seconds", result.parallel->cpuSeconds}, {"wall_seconds", result.parallel->wallSeconds},
        {"speed_up", result.parallel->speedUp},       {"paper_speed_up", row.paperSpeedUp}};
  if (result.costOfDefaults >= 0) object["cost_of_defaults"] = result.costOfDefaults;
  if (!result.problem.empty()) object["problem"] = result.problem;
  return object;
}

/// "; exploring what happens by default costs 1.02 times (median)", if it was measured.
std::string costText(const std::vector<BenchResult>& results) {
  std::vector<double> costs;
  for (const BenchResult& result : results)
    if (result.costOfDefaults >= 0) costs.push_back(result.costOfDefaults);
  if (costs.empty()) return "";
  std::sort(costs.begin(), costs.end());
  return "; exploring spurious wake-ups, weak failures and undefined values takes " +
         ratioText(costs[costs.size() / 2]) + " times the CPU time (median)";
}

/// "80 rows: 77 as expected, 3 without an answer, 0 wrong; 30 of 31 targets met".
std::string summary(const std::vector<BenchResult>& results) {
  size_t good = 0, none = 0, wrong = 0, targets = 0, met = 0;
  for (const BenchResult& result : results) {
    good += result.agreement == Agreement::AsExpected;
    none += result.agreement == Agreement::NoAnswer;
    wrong += result.agreement == Agreement::Wrong;
    targets += result.row.targetSeconds.has_value();
    met += result.targetMet();
  }
  return std::to_string(results.size()) + " rows: " + std::to_string(good) + " as expected, " +
         std::to_string(none) + " without an answer, " + std::to_string(wrong) + " wrong; " +
         std::to_string(met) + " of " + std::to_string(targets) + " targets met" + costText(results);
}

}  // namespace

std::string renderBench(const std::vector<BenchResult>& results, BenchFormat format) {
  if (format == BenchFormat::Json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const BenchResult& result : results) rows.push_back(resultJson(result));
    return dumpLine({{"summary", summary(results)}, {"rows", rows}});
  }
  std::string out;
  for (const Section& section : sectionsOf(results))
    out += (format == BenchFormat::Markdown ? tableMarkdown(section) : tableText(section)) + '\n';
  return out + summary(results) + '\n';
}

}  // namespace heddle
