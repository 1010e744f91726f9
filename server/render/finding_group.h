// FindingGroup: findings that are one bug, shown as one: the first that the user has not suppressed, with the
// others' places. A report keeps all of them, each with a schedule that replays.
//
// What is one bug: same_bug.h.
//
// Threading: pure functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/report.h"
#include "analysis/same_bug.h"

namespace heddle {

struct FindingGroup {
  const Finding* head = nullptr;
  std::vector<const Finding*> also;  // in their order
};

/// In the order of their heads. A suppressed finding (`suppressed`: by id) stands alone and hides no other.
std::vector<FindingGroup> groupsOf(const std::vector<Finding>& findings,
                                   const std::map<std::string, std::string>& suppressed = {});

}  // namespace heddle
