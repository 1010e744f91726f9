// Diagnosis of our models of the ConcBugAssist programs, one row each, beside the paper's figures, as a table
// in Markdown. Exit code 1 when a row has no core or no plan.
//
//   diagnosis_table [sat|z3] [NAME]
//
// Times are wall-clock seconds: exploring until every schedule is decided, diagnosis, plans.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>

#include "analysis/pipeline/pipeline.h"

namespace {

using namespace heddle;

std::vector<std::string> fieldsOf(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '|');) {
    const size_t first = field.find_first_not_of(' ');
    const size_t last = field.find_last_not_of(' ');
    fields.push_back(first == std::string::npos ? "" : field.substr(first, last + 1 - first));
  }
  return fields;
}

struct Row {
  size_t iterations = 0;
  double orderings = 0, coreSize = 0, diagnose = 0, plan = 0;
  size_t plans = 0;
  std::string best = "-";
  bool complete = true;
};

Row rowOf(const Report& report) {
  Row row;
  size_t explained = 0, elements = 0;
  for (const Finding& finding : report.findings) {
    if (!finding.explanation || finding.explanation->cores.empty()) continue;
    const Explanation& explanation = *finding.explanation;
    ++explained;
    row.iterations += explanation.cores.size();
    row.orderings += explanation.orderings;
    row.diagnose += explanation.diagnoseSeconds;
    row.plan += explanation.planSeconds;
    row.plans += finding.plans.size();
    row.complete &= explanation.allFailures;
    for (const auto& core : explanation.cores) elements += core.size();
    if (row.best == "-" && !finding.plans.empty()) row.best = toString(finding.plans.front().kind);
  }
  if (explained) row.orderings /= static_cast<double>(explained);
  if (row.iterations) row.coreSize = static_cast<double>(elements) / static_cast<double>(row.iterations);
  row.complete &= explained != 0;
  return row;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const std::string solver = argc > 1 ? argv[1] : "sat", only = argc > 2 ? argv[2] : "";
  const std::string root = HEDDLE_SOURCE_DIR;
  std::ifstream rows(root + "/tests/bench/concbugassist.txt");
  std::printf(
      "| program | kind | explore s | diagnose s | paper s | cores | paper | orderings | paper | core size | "
      "paper | ratio | plan s | paper s | plans | paper | first plan |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  std::vector<double> times;
  size_t bad = 0;
  for (std::string line; std::getline(rows, line);) {
    const std::vector<std::string> fields = fieldsOf(line);
    if (line.empty() || line[0] == '#' || fields.size() < 9) continue;
    if (!only.empty() && fields[0] != only) continue;
    Snapshot snapshot;
    snapshot.path = root + "/tests/programs/concbugassist/" + fields[1];
    std::ifstream stream(snapshot.path);
    snapshot.text.assign(std::istreambuf_iterator<char>(stream), {});
    snapshot.command = commandFromFlags(snapshot.path, {});
    Options options;
    options.properties = {"assert", "memory"};
    options.solver = solver;
    options.diagnose = true;
    const Report report = analyze(snapshot, options, Budget::forDuration(std::chrono::milliseconds(120'000)));
    const Row row = rowOf(report);
    const double explore = report.stats.wallSeconds - row.diagnose - row.plan;
    times.push_back(row.diagnose + row.plan);
    bad += row.iterations == 0 || row.plans == 0 || !row.complete;
    std::printf(
        "| %s | %s | %.3f | %.3f | %s | %zu%s | %s | %.0f | %s | %.1f | %s | %.0f %% | %.3f | %s | %zu | %s "
        "| "
        "%s |\n",
        fields[0].c_str(), fields[2].c_str(), explore, row.diagnose, fields[3].c_str(), row.iterations,
        row.complete ? "" : "+", fields[4].c_str(), row.orderings, fields[5].c_str(), row.coreSize,
        fields[6].c_str(), row.orderings > 0 ? 100 * row.coreSize / row.orderings : 0, row.plan,
        fields[7].c_str(), row.plans, fields[8].c_str(), row.best.c_str());
    std::fflush(stdout);
  }
  std::printf("\nMedian of diagnosis and plans: %.3f s over %zu programs.\n", median(times), times.size());
  return bad == 0 ? 0 : 1;
}
