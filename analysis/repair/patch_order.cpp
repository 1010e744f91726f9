#include "analysis/repair/patch_order.h"

#include <algorithm>

namespace heddle {

namespace {

/// A call through a pointer with a lock held is named in the title, and puts the patch behind nothing.
bool isFull(const Patch& patch) {
  return patch.repair.status == RepairStatus::Verified || patch.holdsCallback;
}

}  // namespace

bool isForThisDriver(const Patch& patch) {
  return patch.repair.title.find(kOnlyThisDriver) != std::string::npos;
}

bool cures(const Patch& patch, const std::string& finding) {
  return std::find(patch.cures.begin(), patch.cures.end(), finding) != patch.cures.end();
}

void rank(std::vector<Patch>& patches) {
  std::stable_sort(patches.begin(), patches.end(), [](const Patch& a, const Patch& b) {
    const bool hereA = isForThisDriver(a), hereB = isForThisDriver(b);
    if (hereA != hereB) return hereB;
    if (isFull(a) != isFull(b)) return isFull(a);
    if (a.isLastResort != b.isLastResort) return b.isLastResort;
    if (a.cures.size() != b.cures.size()) return a.cures.size() > b.cures.size();
    if (a.cost != b.cost) return a.cost < b.cost;
    return a.repair.fixedOrderings < b.repair.fixedOrderings;
  });
}

std::string whyWorse(const Patch& patch, const Patch& other) {
  using Kind = RepairPlan::Kind;
  const bool isBetter = other.repair.status == RepairStatus::Verified && !other.isLastResort &&
                        !isForThisDriver(other) &&
                        other.repair.fixedOrderings <= patch.repair.fixedOrderings &&
                        std::all_of(patch.cures.begin(), patch.cures.end(),
                                    [&](const std::string& id) { return cures(other, id); });
  if (!isBetter) return "";
  if (!patch.after.findings.empty() && other.after.findings.empty())
    return "another cures what it leaves as well";
  if (patch.addsLock && !other.addsLock) return "another needs nothing new to synchronize with";
  if (patch.holdsCallback && !other.holdsCallback) return "another calls nothing unknown with a lock held";
  const bool isMove = other.repair.kind == toString(Kind::MoveIntoSection) ||
                      other.repair.kind == toString(Kind::UseBeforeCall);
  if (isMove && patch.repair.kind == toString(Kind::AtomicAccess))
    return "it hides the race and keeps what was decided too early";
  return "";
}

}  // namespace heddle
