#include "analysis/repair/fences.h"

#include <algorithm>

namespace heddle {
namespace {

/// Each fence is an exploration, so more writes than these are not tried.
constexpr size_t kMostFences = 24;

/// Where the program has races that nobody asked for, their assumption stays.
bool isRight(const Report& report) {
  return report.verdict == Verdict::Verified ||
         (report.verdict == Verdict::VerifiedWithinBounds && report.bounds.empty());
}

using Regions = std::vector<std::vector<SourceAccess>>;

/// Each place once. The thread that a write belongs to does not matter: the fence is in the function's text.
Regions sharedWrites(const Report& report) {
  Regions found;
  for (const SharedAccess& shared : report.accesses) {
    const SourceAccess& access = shared.access;
    const bool isWrite = access.kind == AccessKind::Write || access.kind == AccessKind::Update;
    const bool isKnown = std::any_of(found.begin(), found.end(), [&](const std::vector<SourceAccess>& other) {
      return other.front().place.line == access.place.line && other.front().place.file == access.place.file;
    });
    if (isWrite && shared.concurrent && !isKnown) found.push_back({access});
  }
  return found;
}

}  // namespace

std::optional<Realization> fencesFor(const Snapshot& snapshot, const Options& options, const Report& report,
                                     const Budget& budget) {
  RepairPlan plan;
  plan.kind = RepairPlan::Kind::Fences;
  // What stands in no block of its own gets no fence.
  for (std::vector<SourceAccess>& write : sharedWrites(report)) {
    RepairPlan one = plan;
    one.regions = {write};
    if (realize(snapshot, one).problem.empty()) plan.regions.push_back(std::move(write));
  }
  if (plan.regions.empty() || plan.regions.size() > kMostFences) return std::nullopt;
  Options quick = options;
  quick.diagnose = quick.smallWitnesses = quick.summarizeAccesses = false;
  std::optional<Realization> best;
  const auto isVerified = [&](const Regions& regions) {
    RepairPlan some = plan;
    some.regions = regions;
    Realization written = realize(snapshot, some);
    if (!written.problem.empty() || !isRight(analyze(patched(snapshot, written.texts), quick, budget)))
      return false;
    best = std::move(written);
    return true;
  };
  Regions kept = plan.regions;
  if (!isVerified(kept)) return std::nullopt;
  for (size_t i = kept.size(); i-- > 0 && kept.size() > 1;) {
    Regions fewer = kept;
    fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
    if (isVerified(fewer)) kept = std::move(fewer);
  }
  // Without time to ask, fences stay that need not be there.
  if (budget.check() != StopReason::None) return std::nullopt;
  return best;
}

}  // namespace heddle
