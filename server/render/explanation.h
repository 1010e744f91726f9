// Explanation as text: claim, pattern, the core as numbered facts, the steps that matter in columns, and the
// nearest passing execution. `heddle explain` and the hover show the same.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <vector>

#include "analysis/report.h"
#include "server/render/interleaving.h"

namespace heddle {

/// "T1 reads `x` (line 9) before T2 writes `x` (line 4)", one for each fact; places in other files name their
/// file.
std::string factText(const OrderingFact& fact, const std::string& mainFile);

/// One heading with its lines; `table`: the lines are to keep their columns.
struct ExplanationPart {
  std::string title;
  std::vector<std::string> lines;
  bool table = false;
};

/// Everything but the claim, in the order in which it is to be read. Empty without an explanation.
std::vector<ExplanationPart> explanationParts(const Finding& finding, const InterleavingOptions& options);

/// Claim and pattern as one sentence; empty when there is none.
std::string claimText(const Finding& finding);

/// "lock `m` around …": what a plan is, before anybody has realized it in the text.
std::string planText(const RepairPlan& plan, const std::string& mainFile);

}  // namespace heddle
