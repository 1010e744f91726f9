#include "analysis/repair/creation_check.h"

#include <algorithm>
#include <optional>

namespace heddle {
namespace {

Report withCreations(Snapshot snapshot, uint32_t most, const Options& options, const Budget& budget) {
  snapshot.environment.creations = most;
  snapshot.environment.checkLeaks = true;
  return analyze(snapshot, options, budget);
}

bool isViolated(const Report& report, Property property) {
  const auto verdict = report.properties.find(property);
  return verdict != report.properties.end() && verdict->second == Verdict::Violated;
}

/// That no other thread ran is what was asked for.
bool isExplored(const Report& report) {
  if (report.problemKind == ProblemKind::NotReached) return true;
  return report.problem.empty() &&
         std::none_of(report.properties.begin(), report.properties.end(),
                      [](const auto& one) { return one.second == Verdict::Incomplete; });
}

/// Something fails for want of the threads, and before the patch as well: the program leaves it to luck that
/// they are there.
bool failsForWant(const Report& without, const Report& ordinary) {
  return std::any_of(without.properties.begin(), without.properties.end(), [&](const auto& one) {
    return one.second == Verdict::Violated && !isViolated(ordinary, one.first);
  });
}

std::string creationsText(uint32_t most) {
  if (most == 0) return "where no thread can be created";
  return "where only " + std::to_string(most) + (most == 1 ? " thread" : " threads") + " can be created";
}

}  // namespace

CreationCheck checkFailingCreations(const Snapshot& before, const Report& reportBefore, const Snapshot& after,
                                    const Report& reportAfter, const Options& options, const Budget& budget) {
  constexpr uint32_t kMost = 3;
  CreationCheck check;
  if (!reportAfter.reach || !reportAfter.reach->looksAtCreations) return check;
  uint32_t created = 0;
  for (const ReachedThread& thread : reportAfter.reach->threads) created += thread.started;
  if (created > 0) --created;  // the entry point's
  for (uint32_t most = 0; most < std::min(kMost, created); ++most) {
    const Report now = withCreations(after, most, options, budget);
    if (!isExplored(now)) check.isUndecided = true;
    if (now.findings.empty()) continue;
    const Report was = withCreations(before, most, options, budget);
    if (failsForWant(was, reportBefore)) continue;
    for (const Finding& finding : now.findings) {
      // What failed before may be the same.
      if (isViolated(was, finding.kind)) continue;
      if (!isExplored(was)) {
        check.isUndecided = true;
        continue;
      }
      check.problem = creationsText(most) + ": " + finding.message;
      return check;
    }
  }
  return check;
}

}  // namespace heddle
