// Whether two findings of one report are one bug: what goes away with one cure. By what they are about, as
// data, whatever the words: races of one member at several lines or indices, all uses of what is freed at one
// place, and a deadlock over the same locks as each thread sees it.
//
// Threading: pure functions.
#pragma once

#include <algorithm>

#include "analysis/report.h"

namespace heddle {

/// The accesses of two races have one in common.
inline bool shareAccess(const Finding& a, const Finding& b) {
  return std::any_of(a.related.begin(), a.related.end(), [&](const RelatedPlace& x) {
    return std::any_of(b.related.begin(), b.related.end(),
                       [&](const RelatedPlace& y) { return x.place == y.place; });
  });
}

inline bool haveEqualNames(const Finding& a, const Finding& b) {
  return std::equal(a.about.begin(), a.about.end(), b.about.begin(), b.about.end(),
                    [](const FindingObject& x, const FindingObject& y) { return x.name == y.name; });
}

inline bool isSameBug(const Finding& a, const Finding& b) {
  if (a.possible != b.possible || a.about.empty() || b.about.empty()) return false;
  const bool isFreed = a.freedAt.line != 0 || b.freedAt.line != 0;
  // A use of what is freed, and the race of a use with the free, go with one cure.
  if (isFreed) return a.freedAt == b.freedAt && a.about == b.about;
  if (a.kind != b.kind) return false;
  if (a.about == b.about) return isRace(a) || a.kind == Property::Deadlock;
  // The same statement may lead to memory of two allocations.
  return isRace(a) && haveEqualNames(a, b) && shareAccess(a, b);
}

}  // namespace heddle
