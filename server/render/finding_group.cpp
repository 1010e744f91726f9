#include "server/render/finding_group.h"

#include <algorithm>

namespace heddle {

namespace {

/// The accesses of two races have one in common.
bool shareAccess(const Finding& a, const Finding& b) {
  return std::any_of(a.related.begin(), a.related.end(), [&](const RelatedPlace& x) {
    return std::any_of(b.related.begin(), b.related.end(),
                       [&](const RelatedPlace& y) { return x.place == y.place; });
  });
}

bool haveEqualNames(const Finding& a, const Finding& b) {
  return std::equal(a.about.begin(), a.about.end(), b.about.begin(), b.about.end(),
                    [](const FindingObject& x, const FindingObject& y) { return x.name == y.name; });
}

}  // namespace

bool isSameBug(const Finding& a, const Finding& b) {
  if (a.possible != b.possible || a.about.empty() || b.about.empty()) return false;
  const bool isFreed = a.freedAt.line != 0 || b.freedAt.line != 0;
  // A use of what is freed, and the race of a use with the free, go with one cure.
  if (isFreed) return a.freedAt == b.freedAt && a.about == b.about;
  if (a.kind != b.kind) return false;
  if (a.about == b.about) return isRace(a) || a.kind == Property::Deadlock;
  // The same statement may lead to memory of two allocations.
  return isRace(a) && haveEqualNames(a, b) && shareAccess(a, b);
}

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
