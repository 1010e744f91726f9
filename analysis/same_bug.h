// SameBug: whether two findings of one report are one bug, so that one cure removes both. What the findings
// are about decides, as data and not as words: races of one member at several lines or indices, all uses of
// what is freed at one place or taken down by one function, and a deadlock over the same locks as each
// thread sees it. Their diagnosis decides too: one wrong call in the program, or a race or bad access that
// needs the accesses of another race in a certain order. Of what is only possible, races are one where the
// same two functions make them, and bad accesses where one pointer makes them.
//
// Threading: pure functions.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/report.h"

namespace heddle {

/// The two races have an access in common.
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

/// The functions that may take down the object of the finding, that is, free it or destroy what is in it.
inline std::vector<std::string> takeDownsOf(const Finding& finding) {
  if (finding.freedAt.line != 0) return {finding.freedAt.function};
  if (finding.kind != Property::Misuse) return {};
  std::vector<std::string> functions = {finding.place.function};
  if (!finding.related.empty() && !finding.related.front().message.starts_with(kCalledHere))
    functions.push_back(finding.related.front().place.function);
  return functions;
}

/// One function takes down the objects of both findings: whether somebody still uses them is one question
/// for all parts. A thread's start function does not count, because it may take down unrelated objects.
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

/// The best plans of both findings concern the same call that the program already makes: another call
/// replaces it, or a call that belongs to it is missing.
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

/// `later`, a race or a bad memory access, needs the two accesses of the race `first` in one order.
/// Examples: a flag that says that data is ready, and the data; a pointer, and what it points to.
/// (Assertions are left out: they may fail without a race.)
inline bool comesFromRace(const Finding& first, const Finding& later) {
  const bool mayCome = isRace(later) || (later.kind == Property::Memory && later.freedAt.line == 0);
  if (!isRace(first) || !mayCome || first.related.size() < 2) return false;
  const SourcePlace &x = first.related[0].place, &y = first.related[1].place;
  return std::any_of(later.core.begin(), later.core.end(), [&](const OrderingFact& fact) {
    return (fact.before == x && fact.after == y) || (fact.before == y && fact.after == x);
  });
}

/// Bad memory accesses at several places that one write has caused.
inline bool haveSameCulprit(const Finding& a, const Finding& b) {
  const auto isBadAccess = [](const Finding& finding) {
    const size_t writes = static_cast<size_t>(
        std::count_if(finding.related.begin(), finding.related.end(),
                      [](const RelatedPlace& related) { return !related.message.starts_with(kCalledHere); }));
    return finding.kind == Property::Memory && finding.freedAt.line == 0 && writes == 1;
  };
  return isBadAccess(a) && isBadAccess(b) && a.message == b.message &&
         a.related.front().place == b.related.front().place;
}

/// `first` takes something down at the wrong time, and `later` uses it afterwards.
inline bool isUseOfTakenDown(const Finding& first, const Finding& later) {
  if (first.kind != Property::Misuse) return false;
  if (later.freedAt.line != 0) return later.freedAt == first.place;
  return later.kind == Property::Misuse && !later.related.empty() &&
         later.related.front().place == first.place && later.about == first.about;
}

/// Races that are only possible, of the same two functions: whether these run side by side on one object is
/// one question for all that they touch.
inline bool areOfOnePair(const Finding& a, const Finding& b) {
  const auto functions = [](const Finding& finding) {
    std::pair<std::string, std::string> pair(finding.related[0].place.function,
                                             finding.related[1].place.function);
    if (pair.second < pair.first) std::swap(pair.first, pair.second);
    return pair;
  };
  const bool areRaces =
      a.possible && b.possible && isRace(a) && isRace(b) && a.related.size() >= 2 && b.related.size() >= 2;
  return areRaces && !a.related[0].place.function.empty() && functions(a) == functions(b);
}

/// Bad accesses that are only possible: those at one place are of one pointer, wherever it leads, and those
/// of one function beyond one object are of one size.
inline bool areOfOnePointer(const Finding& a, const Finding& b) {
  const std::string_view beyond = "out-of-bounds";
  const auto isAccess = [&](const Finding& finding) {
    const std::string_view message = finding.message;
    return finding.possible && finding.kind == Property::Memory && finding.freedAt.line == 0 &&
           (message.starts_with(beyond) || message.starts_with("null pointer") ||
            message.starts_with("read of ") || message.starts_with("write to "));
  };
  if (!isAccess(a) || !isAccess(b)) return false;
  if (a.place == b.place) return true;
  const auto objectOf = [&](const Finding& finding) {
    const size_t begin = finding.message.find('\''), end = finding.message.rfind('\'');
    return finding.message.starts_with(beyond) ? finding.message.substr(begin, end - begin) : "";
  };
  const std::string object = objectOf(a);
  return !object.empty() && object == objectOf(b) && !a.place.function.empty() &&
         a.place.file == b.place.file && a.place.function == b.place.function;
}

inline bool isSameBug(const Finding& a, const Finding& b) {
  if (a.possible != b.possible) return false;
  if (areOfOnePair(a, b) || areOfOnePointer(a, b)) return true;
  if (haveSameCulprit(a, b) || isUseOfTakenDown(a, b) || isUseOfTakenDown(b, a)) return true;
  if (haveSameTakeDown(a, b) || haveSameWrongCall(a, b)) return true;
  if (comesFromRace(a, b) || comesFromRace(b, a)) return true;
  if (a.about.empty() || b.about.empty()) return false;
  const bool isFreed = a.freedAt.line != 0 || b.freedAt.line != 0;
  // One cure removes a use of freed memory and the race between that use and the free.
  if (isFreed) return a.freedAt == b.freedAt && a.about == b.about;
  if (a.kind != b.kind) return false;
  if (a.about == b.about) return isRace(a) || a.kind == Property::Deadlock;
  // One statement may access memory of two allocations.
  return isRace(a) && haveEqualNames(a, b) && shareAccess(a, b);
}

}  // namespace heddle
