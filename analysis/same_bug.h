// Whether two findings of one report are one bug: what goes away with one cure. By what they are about, as
// data, whatever the words: races of one member at several lines or indices, all uses of what is freed at one
// place or taken down by one function, and a deadlock over the same locks as each thread sees it. And by
// their diagnosis: what one call of the program's own does wrong, and a race or a bad access that needs the
// accesses of another race in a certain order.
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

/// The functions that may be the one which takes the object of the finding down: frees it, or destroys what
/// is in it.
inline std::vector<std::string> takeDownsOf(const Finding& finding) {
  if (finding.freedAt.line != 0) return {finding.freedAt.function};
  if (finding.kind != Property::Misuse) return {};
  std::vector<std::string> functions = {finding.place.function};
  if (!finding.related.empty()) functions.push_back(finding.related.front().place.function);
  return functions;
}

/// One function takes down what both are about, and it is no thread's own, in which much may be taken down:
/// who may still use it is one question for all parts of it.
inline bool haveSameTakeDown(const Finding& a, const Finding& b) {
  if (a.freedAt.line == 0 && b.freedAt.line == 0) return false;
  for (const std::string& function : takeDownsOf(a)) {
    const auto runsIt = [&](const ThreadDescription& thread) { return thread.function == function; };
    if (std::any_of(a.threads.begin(), a.threads.end(), runsIt)) continue;
    for (const std::string& other : takeDownsOf(b))
      if (function == other) return true;
  }
  return false;
}

/// The best cure of both is one call that the program makes already, at the same place: another one instead
/// of it, or one that belongs to it and is missing.
inline bool haveSameWrongCall(const Finding& a, const Finding& b) {
  using Kind = RepairPlan::Kind;
  if (a.plans.empty() || b.plans.empty()) return false;
  const RepairPlan &x = a.plans.front(), &y = b.plans.front();
  const bool isOfCall = x.kind == Kind::StrongerCall || x.kind == Kind::ReleaseLock ||
                        x.kind == Kind::LoopAroundWait || x.kind == Kind::InitialCount ||
                        x.kind == Kind::ReleaseFirst;
  const auto isSameRegion = [](const std::vector<SourceAccess>& r, const std::vector<SourceAccess>& s) {
    return std::equal(r.begin(), r.end(), s.begin(), s.end(),
                      [](const SourceAccess& p, const SourceAccess& q) { return p.place == q.place; });
  };
  return isOfCall && x.kind == y.kind && !x.regions.empty() &&
         std::equal(x.regions.begin(), x.regions.end(), y.regions.begin(), y.regions.end(), isSameRegion);
}

/// `later`, a race or an access to what is no memory, needs the two accesses of the race `first` in one
/// order: what says that data is ready, and the data; a pointer, and what it leads to. (An assertion may fail
/// without a race.)
inline bool comesFromRace(const Finding& first, const Finding& later) {
  const bool mayCome = isRace(later) || (later.kind == Property::Memory && later.freedAt.line == 0);
  if (!isRace(first) || !mayCome || first.related.size() < 2) return false;
  const SourcePlace &x = first.related[0].place, &y = first.related[1].place;
  return std::any_of(later.core.begin(), later.core.end(), [&](const OrderingFact& fact) {
    return (fact.before == x && fact.after == y) || (fact.before == y && fact.after == x);
  });
}

/// Accesses to no memory by what one write has left, at several places.
inline bool haveSameCulprit(const Finding& a, const Finding& b) {
  const auto isBadAccess = [](const Finding& finding) {
    return finding.kind == Property::Memory && finding.freedAt.line == 0 && finding.related.size() == 1;
  };
  return isBadAccess(a) && isBadAccess(b) && a.message == b.message &&
         a.related.front().place == b.related.front().place;
}

/// `first` takes something down at a wrong time, and `later` is a use of what was taken down there.
inline bool isUseOfTakenDown(const Finding& first, const Finding& later) {
  if (first.kind != Property::Misuse) return false;
  if (later.freedAt.line != 0) return later.freedAt == first.place;
  return later.kind == Property::Misuse && !later.related.empty() &&
         later.related.front().place == first.place && later.about == first.about;
}

inline bool isSameBug(const Finding& a, const Finding& b) {
  if (a.possible != b.possible) return false;
  if (haveSameCulprit(a, b) || isUseOfTakenDown(a, b) || isUseOfTakenDown(b, a)) return true;
  if (haveSameTakeDown(a, b) || haveSameWrongCall(a, b)) return true;
  if (comesFromRace(a, b) || comesFromRace(b, a)) return true;
  if (a.about.empty() || b.about.empty()) return false;
  const bool isFreed = a.freedAt.line != 0 || b.freedAt.line != 0;
  // A use of what is freed, and the race of a use with the free, go with one cure.
  if (isFreed) return a.freedAt == b.freedAt && a.about == b.about;
  if (a.kind != b.kind) return false;
  if (a.about == b.about) return isRace(a) || a.kind == Property::Deadlock;
  // The same statement may lead to memory of two allocations.
  return isRace(a) && haveEqualNames(a, b) && shareAccess(a, b);
}

}  // namespace heddle
