// Repair: verified patches for the findings of a report.
//
// For each finding: candidates (candidates.h), written as edits (realize.h), explored (verify.h); what passes
// is offered, best first: explored in full before explored within the budget, then what cures more findings,
// then fewer changed lines, then what fixes fewer orderings. When no single patch cures all findings, patches
// are combined. What a reviewer would put aside for another that is offered is not (see dropWhatIsWorse).
//
// Threading: as analyze().
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"
#include "analysis/repair/candidates.h"
#include "analysis/repair/realize.h"
#include "analysis/report.h"

namespace heddle {

struct Patch {
  Repair repair;                             // title, status, edits
  std::map<std::string, std::string> texts;  // new text by absolute path
  std::vector<std::string> cures;            // ids of the findings that it removes
  std::vector<std::string> objects;          // the shared data it is about, as messages name it
  Report after;                              // of the patched program
  size_t cost = 0;                           // changed lines, a new mutex counted as several
  bool isLastResort = false;                 // see Candidate
  bool addsLock = false;                     // or another synchronization object
  bool holdsCallback = false;  // calls through a pointer with a lock held that was not held there
  double foundAfter = 0;       // seconds of the wall clock since repairing began
};

struct RejectedPatch {
  std::string finding;  // id
  std::string title;    // empty: it could not be written
  std::string reason;
};

struct RepairResult {
  std::vector<Patch> patches;  // best first
  std::vector<RejectedPatch> rejected;
  std::map<std::string, std::string> before;  // the text that each patched file had
  bool outOfBudget = false;                   // candidates were left untried
  std::optional<double> firstVerifiedAfter;   // seconds until the first of `patches` that is verified in full
};

struct RepairLimits {
  size_t offersPerFinding = 3;
  size_t triesPerFinding = 16;
};

/// Where proposals come from. Nothing in it is trusted; a test puts wrong ones in.
struct RepairSource {
  std::function<std::vector<Candidate>(const Report&, const Finding&)> candidates = candidatesFor;
  /// As many as there are candidates, in their order.
  std::function<std::vector<Realization>(const Snapshot&, const std::vector<Candidate>&)> write =
      [](const Snapshot& snapshot, const std::vector<Candidate>& some) {
        std::vector<WrittenPlan> plans;
        for (const Candidate& candidate : some) plans.push_back({candidate.plan, candidate.style});
        return realizeAll(snapshot, plans);
      };
};

/// `report`: of `snapshot`, with Report::accesses. `only`: the id of one finding; empty: all.
RepairResult repairFindings(const Snapshot& snapshot, const Options& options, const Report& report,
                            const std::string& only, const Budget& budget, const RepairLimits& limits = {},
                            const RepairSource& source = {});

}  // namespace heddle
