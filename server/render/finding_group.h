// FindingGroup: findings that are one bug, shown as one: the first that the user has not suppressed, with the
// others' places. A report keeps all of them, each with a schedule that replays.
//
// One bug are races of one member at several lines or indices, all uses of what is freed at one place, and a
// deadlock over the same locks as each thread sees it: by what they are about, whatever the words.
//
// Threading: pure functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/report.h"

namespace heddle {

struct FindingGroup {
  const Finding* head = nullptr;
  std::vector<const Finding*> also;  // in their order
};

/// In the order of their heads. A suppressed finding (`suppressed`: by id) stands alone and hides no other.
std::vector<FindingGroup> groupsOf(const std::vector<Finding>& findings,
                                   const std::map<std::string, std::string>& suppressed = {});

bool isSameBug(const Finding& a, const Finding& b);

}  // namespace heddle
