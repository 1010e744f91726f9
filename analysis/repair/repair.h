// Repair: verified patches for the findings of a report.
//
// For each finding, candidates (candidates.h) are written as edits (realize.h) and explored (verify.h).
// Those that pass are offered, best first: patches explored in full come before those explored within the
// budget; then those that are no last resort, cure more findings, change fewer lines, and fix fewer
// orderings come first (patch_order.h). If no single patch cures all findings, patches are combined. A
// patch is not offered if a reviewer would prefer another offered one (see dropWhatIsWorse).
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
  std::vector<std::string> objects;          // the shared data that it protects, as messages name it
  Report after;                              // report of the patched program
  size_t cost = 0;                           // number of changed lines; a new mutex counts as several
  bool isLastResort = false;                 // see Candidate
  bool addsLock = false;                     // it adds a mutex or another synchronization object
  /// It makes a call through a pointer with a lock held that was not held there before.
  bool holdsCallback = false;
  double foundAfter = 0;  // seconds of wall-clock time since repairing began
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
  bool outOfBudget = false;                   // some candidates were not tried
  std::optional<double> firstVerifiedAfter;   // seconds until the first of `patches` was verified in full
};

struct RepairLimits {
  size_t offersPerFinding = 3;
  size_t triesPerFinding = 16;
};

/// The source of proposals. Its results are not trusted; a test replaces it by one with wrong proposals.
struct RepairSource {
  std::function<std::vector<Candidate>(const Report&, const Finding&)> candidates = candidatesFor;
  /// Must return one realization for each candidate, in their order.
  std::function<std::vector<Realization>(const Snapshot&, const std::vector<Candidate>&)> write =
      [](const Snapshot& snapshot, const std::vector<Candidate>& some) {
        std::vector<WrittenPlan> plans;
        for (const Candidate& candidate : some) plans.push_back({candidate.plan, candidate.style});
        return realizeAll(snapshot, plans);
      };
};

/// `report`: the report of `snapshot`, with Report::accesses. `only`: the id of the only finding to repair;
/// empty: all.
RepairResult repairFindings(const Snapshot& snapshot, const Options& options, const Report& report,
                            const std::string& only, const Budget& budget, const RepairLimits& limits = {},
                            const RepairSource& source = {});

}  // namespace heddle
