// Verify: whether a changed program is a repair of the original one. Only patches that pass are offered.
//
// The changed texts are compiled and explored in memory by the same pipeline that made the finding. A
// repair must compile without new warnings. It must not have the finding, nor any finding that was not
// there before (above all, a deadlock). It must still be able to end well. And it must print what the
// original printed if its threads run one after the other on the inputs of the findings.
//
// Threading: any thread; several at once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

struct Verification {
  RepairStatus status = RepairStatus::Rejected;
  std::string reason;   // why rejected, one sentence without a period
  std::string checked;  // if not rejected, what was checked: "verified: all 14 paths", "no bug found in 3 s"
  Report report;        // report of the changed program
  std::string caveat;   // what was not checked: "; line 12 never ran"; empty: everything was
  std::string heldCallback;        // LockChange::heldCallback
  std::vector<std::string> cured;  // ids of the findings that are gone
};

/// `before`: the report on `snapshot`. `target`: the id of the finding that must go.
Verification verifyRepair(const Snapshot& snapshot, const Report& before, const std::string& target,
                          const std::map<std::string, std::string>& texts, const Options& options,
                          const Budget& budget);

}  // namespace heddle
