// Table1: our models of the 34 programs of the ConcBugAssist paper, diagnosed and repaired, beside its
// figures.
//
// Threading: as analyze().
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"
#include "analysis/repair/repair.h"

namespace heddle::table1 {

/// A row of tests/bench/concbugassist.txt; the paper's figures as it prints them.
struct Row {
  std::string name, file, bug;
  std::string diagnoseSeconds, iterations, orderings, coreSize, repairSeconds, repairs, covers, kinds;
  std::set<std::string> rightKinds;  // "lock", "atomic", "order"
  std::string killSets;              // "35 / 70": their average size, and all together
};

std::vector<Row> rows();

struct Result {
  Snapshot snapshot;
  Report report;
  RepairResult repairs;
  double diagnoseSeconds = 0;  // of the CPU: compiling, exploring in full, all findings diagnosed
  double repairSeconds = 0;    // writing patches and exploring each patched program
};

/// As `heddle repair` does it. No clock in the budget: the same result everywhere.
Result run(const Row& row, const std::string& solver = "sat");

/// What the first patch is, in the words of Row::rightKinds: "lock", "atomic", "order"; "" without patches.
std::string kindOf(const Repair& repair);

/// The table's head and one line of it, in Markdown.
std::string header();
std::string line(const Row& row, const Result& result);

/// A cell of a line by the name of its column (the first of that name); "" where there is none.
std::string cellOf(const std::string& line, const std::string& header, const std::string& column);

/// The best patch as a unified diff.
std::string bestDiff(const Row& row, const Result& result);

}  // namespace heddle::table1
