// Callers: what a patch means for calls that its program does not make. A caller that knows how to make
// such calls gives a check to repairForCallers(); without a check, only the program itself is explored.
//
// Threading: as repairFindings(); the check is called from the same thread.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "analysis/repair/repair.h"

namespace heddle {

/// Calls that the program does not make, and what a patch repairs in them: properties that fail without the
/// patch and are decided not to fail with it.
struct MendedUse {
  std::string title;  // "box_put || box_take"
  std::string text;   // text to append to the program's text
  std::set<Property> kinds;
};

struct CallerCheck {
  std::string problem;  // what a use shows with the patch but not before, one sentence without a period
  size_t uses = 0;      // uses that were explored in full and show nothing new
  size_t made = 0;      // all uses, explored in full or not
  /// The patch changes calls of the code that has the bug, and not that code itself.
  bool isOutside = false;
  /// Not empty: `isOutside` holds, and the bug is not in these calls. It names the code that keeps the bug,
  /// without a period.
  std::string onlyThisDriver;
  std::vector<MendedUse> mended;
};

struct CallersCheck {
  /// Checks a patch. `after`: `before` with a patch for `finding`.
  std::function<CallerCheck(const Snapshot& before, const Snapshot& after, const Finding& finding,
                            const Budget& budget)>
      patch;
  /// Whether a use that another patch repairs still fails with this one. Empty: this is not checked.
  std::function<bool(const Snapshot& after, const MendedUse& use, const Budget& budget)> fails = {};

  explicit operator bool() const { return bool(patch); }
};

/// As repairFindings(), with `check`. A patch that does not change the code that has the bug is offered
/// only if there is nothing better. A patch that is only right for this driver comes after all others and
/// never counts as verified. The same holds for a patch with which a use still fails that a better patch
/// repairs.
RepairResult repairForCallers(const Snapshot& snapshot, const Options& options, const Report& report,
                              const std::string& only, const Budget& budget, const RepairLimits& limits,
                              const RepairSource& source, const CallersCheck& check);

}  // namespace heddle
