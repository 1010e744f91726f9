#include "tests/bench/table1.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>

#include "server/render/unified_diff.h"
#include "tests/paths/paths.h"

namespace heddle::table1 {
namespace {

std::vector<std::string> fieldsOf(const std::string& text, char separator) {
  std::vector<std::string> fields;
  std::istringstream stream(text);
  for (std::string field; std::getline(stream, field, separator);) {
    const size_t first = field.find_first_not_of(' ');
    const size_t last = field.find_last_not_of(' ');
    fields.push_back(first == std::string::npos ? "" : field.substr(first, last + 1 - first));
  }
  return fields;
}

/// CPU seconds of this process: what else the machine does is not the program's.
double secondsSince(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Of the findings that are the paper's: failures, not the races beside them.
struct Diagnosis {
  size_t findings = 0, iterations = 0, elements = 0, elementary = 0, composite = 0, killers = 0;
  double orderings = 0;
  std::set<std::string> unique;
  bool complete = true;
};

Diagnosis diagnosisOf(const Report& report) {
  Diagnosis all;
  for (const Finding& finding : report.findings) {
    if (isRace(finding) || !finding.explanation || finding.explanation->cores.empty()) continue;
    const Explanation& explanation = *finding.explanation;
    ++all.findings;
    all.iterations += explanation.cores.size();
    all.orderings += explanation.orderings;
    all.elementary += explanation.elementary;
    all.composite += explanation.composite ? 1 : 0;
    all.killers += explanation.killers;
    all.complete &= explanation.allFailures;
    for (const auto& core : explanation.cores) {
      all.elements += core.size();
      for (const OrderingFact& fact : core)
        all.unique.insert(std::to_string(fact.before.line) + " " + std::to_string(fact.after.line));
    }
  }
  if (all.findings) all.orderings /= static_cast<double>(all.findings);
  all.complete &= all.findings != 0;
  return all;
}

}  // namespace

std::vector<Row> rows() {
  std::ifstream stream(sourceDirectory() + "/tests/bench/concbugassist.txt");
  std::vector<Row> all;
  for (std::string text; std::getline(stream, text);) {
    const std::vector<std::string> f = fieldsOf(text, '|');
    if (text.empty() || text[0] == '#' || f.size() != 13) continue;
    const std::vector<std::string> right = fieldsOf(f[11], ' ');
    all.push_back({f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10],
                   std::set<std::string>(right.begin(), right.end()), f[12]});
  }
  return all;
}

Result run(const Row& row, const std::string& solver) {
  Result result;
  Snapshot& snapshot = result.snapshot;
  snapshot.path = sourceDirectory() + "/tests/programs/concbugassist/" + row.file;
  std::ifstream stream(snapshot.path, std::ios::binary);
  snapshot.text.assign(std::istreambuf_iterator<char>(stream), {});
  snapshot.command = commandFromFlags(snapshot.path, {});
  Options options;
  options.solver = solver;
  options.diagnose = true;
  options.summarizeAccesses = true;
  const Budget budget = Budget().withSteps(100'000'000);
  std::clock_t start = std::clock();
  result.report = analyze(snapshot, options, budget);
  result.diagnoseSeconds = secondsSince(start);
  start = std::clock();
  result.repairs = repairFindings(snapshot, options, result.report, "", budget);
  result.repairSeconds = secondsSince(start);
  return result;
}

std::string kindOf(const Repair& repair) {
  if (repair.kind == "critical-sections") return "lock";
  if (repair.kind == "atomic" || repair.kind == "atomic-update") return "atomic";
  if (repair.kind == "signal-wait" || repair.kind == "move-before-create" || repair.kind == "move-join")
    return "order";
  return repair.kind;
}

std::string header() {
  return "| program | bug | diagnose s | paper | cores | paper | orderings | paper | core size | paper | "
         "unique | "
         "ratio | repair s | paper | covers | paper | kill-sets | paper | patches | kinds | paper | first "
         "patch |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
}

std::string line(const Row& row, const Result& result) {
  const Diagnosis d = diagnosisOf(result.report);
  const double size = d.iterations ? static_cast<double>(d.elements) / static_cast<double>(d.iterations) : 0;
  const double killers =
      d.iterations ? static_cast<double>(d.killers) / static_cast<double>(d.iterations) : 0;
  std::set<std::string> kinds;
  for (const Patch& patch : result.repairs.patches) kinds.insert(kindOf(patch.repair));
  std::string kindList;
  for (const std::string& kind : kinds) kindList += (kindList.empty() ? "" : ", ") + kind;
  const Repair* first = result.repairs.patches.empty() ? nullptr : &result.repairs.patches.front().repair;
  char numbers[512];
  std::snprintf(numbers, sizeof numbers,
                "| %s | %s | %.2f | %s | %zu%s | %s | %.0f | %s | %.1f | %s | %zu | %.0f %% | %.2f | %s | "
                "%zu + %zu | %s | %.1f / %zu | %s | %zu ",
                row.name.c_str(), row.bug.c_str(), result.diagnoseSeconds, row.diagnoseSeconds.c_str(),
                d.iterations, d.complete ? "" : "+", row.iterations.c_str(), d.orderings,
                row.orderings.c_str(), size, row.coreSize.c_str(), d.unique.size(),
                d.orderings > 0 ? 100 * size / d.orderings : 0, result.repairSeconds,
                row.repairSeconds.c_str(), d.elementary, d.composite, row.covers.c_str(), killers, d.killers,
                row.killSets.c_str(), result.repairs.patches.size());
  return numbers + ("| " + kindList + " | " + row.kinds + " | ") + (first ? first->title : "none") + " |\n";
}

std::string cellOf(const std::string& line, const std::string& header, const std::string& column) {
  const std::vector<std::string> names = fieldsOf(header.substr(0, header.find('\n')), '|'),
                                 cells = fieldsOf(line, '|');
  const auto at = std::find(names.begin(), names.end(), column);
  const auto index = static_cast<size_t>(at - names.begin());
  return index < cells.size() ? cells[index] : "";
}

std::string bestDiff(const Row& row, const Result& result) {
  std::string diff;
  if (result.repairs.patches.empty()) return diff;
  for (const auto& [path, text] : result.repairs.patches.front().texts)
    diff += unifiedDiff(row.file, result.snapshot.text, text);
  return diff;
}

}  // namespace heddle::table1
