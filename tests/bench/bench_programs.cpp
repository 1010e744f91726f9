// What each program of tests/programs and docs/examples costs: executions, queries and seconds, as the report
// gives them.
//
//     bench_programs [PART-OF-A-NAME] [-- options of heddle check]
#include <cstdio>
#include <string>
#include <vector>

#include "tests/programs/program_file.h"

namespace {

double seconds(const nlohmann::json& stats, const char* name) {
  return stats.contains(name) && stats[name].is_number() ? stats[name].get<double>() : 0.0;
}

unsigned long count(const nlohmann::json& stats, const char* name) {
  return stats.contains(name) && stats[name].is_number_unsigned() ? stats[name].get<unsigned long>() : 0UL;
}

}  // namespace

int main(int argc, char** argv) {
  std::string part;
  std::vector<std::string> options;
  bool own = true;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (own && word == "--") {
      own = false;
    } else if (own) {
      part = word;
    } else {
      options.push_back(word);
    }
  }

  std::printf("%-52s %-12s %6s %6s %8s %8s %8s %8s %8s\n", "program", "assert", "runs", "paths", "queries",
              "first s", "solver s", "interp s", "wall s");
  double total = 0;
  for (const auto& program : heddle::programs::allPrograms()) {
    if (program.path.find(part) == std::string::npos) continue;
    std::vector<std::string> arguments = {"check", program.path, "--property", "assert", "--format", "json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto outcome = heddle::programs::runHeddle(arguments);
    if (!outcome.json) {
      std::printf("%-52s no report, exit code %d\n", program.path.c_str(), outcome.exitCode);
      continue;
    }
    const auto& stats = outcome.json->at("stats");
    const std::string verdict = outcome.json->at("properties").value("assert", "?");
    std::printf("%-52s %-12s %6lu %6lu %8lu %8.3f %8.3f %8.3f %8.3f\n", program.path.c_str(), verdict.c_str(),
                count(stats, "executions"), count(stats, "paths"), count(stats, "queries"),
                seconds(stats, "first_finding_seconds"), seconds(stats, "solver_seconds"),
                seconds(stats, "interp_seconds"), seconds(stats, "wall_seconds"));
    total += seconds(stats, "wall_seconds");
  }
  std::printf("%-52s %81.3f\n", "total", total);
  return 0;
}
