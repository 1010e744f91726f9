// Diagnosis and repair of our models of the ConcBugAssist programs, beside the paper's figures. Exit code 1
// when a row has no cores that cover every failure, no verified patch, or a first patch of the wrong kind.
//
//   diagnosis_table [--solver sat|z3] [NAME]   the table, in Markdown
//   diagnosis_table --docs                     writes docs/diagnosis-table.md and the patches of
//   docs/repair-review.md
//
// A judgement in docs/repair-review.md stays while its patch does; a new patch asks for a new one.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>

#include "tests/bench/repair_review.h"
#include "tests/bench/table1.h"
#include "tests/paths/paths.h"

namespace {

using namespace heddle;
using namespace heddle::table1;

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

bool isGood(const Row& row, const Result& result) {
  for (const Finding& finding : result.report.findings)
    if (!isRace(finding) && (!finding.explanation || !finding.explanation->allFailures)) return false;
  if (result.repairs.patches.empty()) return false;
  const Repair& first = result.repairs.patches.front().repair;
  return first.status == RepairStatus::Verified && row.rightKinds.count(kindOf(first)) != 0;
}

constexpr const char* kIntroduction =
    "# Diagnosis and repair of the ConcBugAssist programs\n\n"
    "Our models of the paper's 34 programs (`tests/programs/concbugassist`) beside its figures (Tables 2 to "
    "4; 2015, 2.6 GHz "
    "Core i5).\nWritten by `build/bin/diagnosis_table --docs`; the times are CPU seconds of that run.\n\n"
    "- **diagnose s**: compiling, exploring all schedules and inputs, and diagnosing every finding, the "
    "races too. **repair "
    "s**: writing\n  patches and exploring each patched program in full; the paper's tool computes repairs "
    "and does not "
    "verify them.\n"
    "- **cores** (iterations), **orderings** (of dependent events in a failing execution, φsch), **core "
    "size** (φcore, mean), "
    "**unique**\n  (orderings by lines): of the failures, without the races. `+`: not all failures are "
    "covered.\n"
    "- **covers**: elementary + composite solutions (the paper's Table 4), exact ones up to 6 orderings and "
    "128 of them; where there are\n  more, the search is cut, and a few that are chosen greedily may follow. "
    "**kill-sets**: their average size / all "
    "together (Table 4).\n"
    "- **patches**: those that were\n  written into the text and verified (at most 3 for a finding); "
    "**kinds** "
    "of them. lock: "
    "critical sections; order: signal and wait, an access moved before the create, or\n  a join moved before "
    "the "
    "next create (the last resort).\n\n";

}  // namespace

int main(int argc, char** argv) {
  std::string solver = "sat", only;
  bool docs = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--docs") == 0) {
      docs = true;
    } else if (std::strcmp(argv[i], "--solver") == 0 && i + 1 < argc) {
      solver = argv[++i];
    } else {
      only = argv[i];
    }
  }
  std::vector<double> diagnose, repair, both;
  size_t bad = 0;
  std::string table = header();
  std::map<std::string, std::string> patches;
  std::printf("%s", table.c_str());
  for (const Row& row : rows()) {
    if (!only.empty() && row.name != only) continue;
    const Result result = run(row, solver);
    diagnose.push_back(result.diagnoseSeconds);
    repair.push_back(result.repairSeconds);
    both.push_back(result.diagnoseSeconds + result.repairSeconds);
    if (!isGood(row, result)) {
      ++bad;
      std::fprintf(stderr, "%s: not as it should be\n", row.name.c_str());
    }
    const std::string text = line(row, result);
    std::printf("%s", text.c_str());
    std::fflush(stdout);
    table += text;
    patches[row.name] = bestDiff(row, result);
  }
  char medians[200];
  std::snprintf(medians, sizeof medians,
                "\nMedians of %zu programs: diagnosis %.2f s, repair %.2f s, both together %.2f s; the "
                "longest %.2f s.\n",
                both.size(), median(diagnose), median(repair), median(both),
                both.empty() ? 0 : *std::max_element(both.begin(), both.end()));
  std::printf("%s", medians);
  if (docs && only.empty()) {
    const std::string root = sourceDirectory();
    std::ofstream(root + "/docs/diagnosis-table.md") << kIntroduction << table << medians;
    RepairReview review = RepairReview::read(root + "/docs/repair-review.md");
    for (const Row& row : rows()) review.set(row.name, patches[row.name]);
    review.write(root + "/docs/repair-review.md");
  }
  return bad == 0 ? 0 : 1;
}
