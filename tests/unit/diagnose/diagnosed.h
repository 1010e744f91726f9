// Test helper: C text in, diagnoses out; and every core proved again by a formula and a solver of its own.
#pragma once

#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"
#include "analysis/solver/solver.h"

namespace heddle::test {

/// How many lines of headers `explained` and `proveCores` put before the text.
inline constexpr uint32_t kHeaderLines = 4;

/// The report with explanations and plans. `text` without headers.
Report explained(const std::string& text, const std::string& solver = "sat", uint64_t steps = 2'000'000);

/// Runs one schedule of it.
ReplayResult replayed(const std::string& text, const std::string& schedule);

struct ProvedCores {
  std::string problem;  // why nothing was proved
  size_t findings = 0;  // that have cores
  size_t cores = 0;
  size_t proved = 0;           // of them: they imply the failure, and no set with one element less does
  std::vector<size_t> sizes;   // of the cores
  std::vector<bool> complete;  // by finding: its cores cover every failing execution
};

/// Cores of all findings by `finder`, each proved by a new formula on `prover`. `withHeaders`: the text has
/// none of its own.
ProvedCores proveCores(const std::string& text, SolverKind finder, SolverKind prover, bool withHeaders = true,
                       const std::string& path = "/nowhere/test.c");

}  // namespace heddle::test
