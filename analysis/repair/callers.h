// Callers: what a patch means for calls that its program does not make. Who knows how to make such calls
// gives a check to repairForCallers(); without one only the program itself is explored.
//
// Threading: as repairFindings(); the check is called from the same thread.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "analysis/repair/repair.h"

namespace heddle {

/// Calls that the program does not make, and what a patch mends in them: what fails before it and, decided,
/// not with it.
struct MendedUse {
  std::string title;  // "box_put || box_take"
  std::string text;   // to be put behind the program's
  std::set<Property> kinds;
};

struct CallerCheck {
  std::string problem;  // what a use shows that it did not show before, one sentence without a period
  size_t uses = 0;      // that were explored in full and show nothing new
  size_t made = 0;      // uses there are, explored in full or not
  /// The patch changes calls of the code that has the bug and leaves that code as it is.
  bool isOutside = false;
  /// Not empty: `isOutside`, and the bug is not one of these calls; who keeps it, without a period.
  std::string onlyThisDriver;
  std::vector<MendedUse> mended;
};

struct CallersCheck {
  /// `after`: `before` with a patch for `finding`.
  std::function<CallerCheck(const Snapshot& before, const Snapshot& after, const Finding& finding,
                            const Budget& budget)>
      patch;
  /// Whether what another patch mends in a use still fails with this one. Empty: nobody asks.
  std::function<bool(const Snapshot& after, const MendedUse& use, const Budget& budget)> fails = {};

  explicit operator bool() const { return bool(patch); }
};

/// As repairFindings(). What leaves the code that has the bug as it is is offered where nothing better is;
/// what is for this driver only behind all others, and never called verified; so is what leaves failing in a
/// use what a better one mends there.
RepairResult repairForCallers(const Snapshot& snapshot, const Options& options, const Report& report,
                              const std::string& only, const Budget& budget, const RepairLimits& limits,
                              const RepairSource& source, const CallersCheck& check);

}  // namespace heddle
