#include "server/render/finding_group.h"

#include <algorithm>

namespace heddle {

std::vector<FindingGroup> groupsOf(const std::vector<Finding>& findings,
                                   const std::map<std::string, std::string>& suppressed) {
  std::vector<FindingGroup> groups;
  for (const Finding& finding : findings) {
    const bool isAlone = suppressed.contains(finding.id);
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const FindingGroup& group) {
      return !isAlone && !suppressed.contains(group.head->id) && isSameBug(*group.head, finding);
    });
    if (known == groups.end())
      groups.push_back({&finding, {}});
    else
      known->also.push_back(&finding);
  }
  return groups;
}

}  // namespace heddle
