#include "analysis/explore/formula/growth_guards.h"

namespace heddle {

uint32_t GrowthGuards::newGroup(bool ofReads) {
  groups_.push_back({solver_.newLit(), 0, false, ofReads, {}});
  return static_cast<uint32_t>(groups_.size() - 1);
}

uint32_t GrowthGuards::newGuard(uint32_t group, Lit owner) {
  const Lit lit = solver_.newLit();
  solver_.guard(lit, owner);
  solver_.addClause({-lit, groups_[group].guard});
  guards_.push_back({lit, group, owner, {}});
  const uint32_t id = static_cast<uint32_t>(guards_.size() - 1);
  groups_[group].members.push_back(id);
  return id;
}

void GrowthGuards::grow(uint32_t guard, Lit alternative) {
  guards_[guard].pending.push_back(alternative);
  groups_[guards_[guard].group].grown = true;
}

void GrowthGuards::close() {
  std::vector<Lit> clause;
  for (Group& group : groups_) {
    if (!group.grown) continue;
    group.grown = false;
    ++group.version;
    group.guard = solver_.newLit();
    for (const uint32_t id : group.members) {
      Guard& guard = guards_[id];
      if (!guard.pending.empty()) {
        clause.assign({-guard.lit});
        clause.insert(clause.end(), guard.pending.begin(), guard.pending.end());
        guard.pending.clear();
        guard.lit = solver_.newLit();
        solver_.guard(guard.lit, guard.owner);
        clause.push_back(guard.lit);
        solver_.addClause(clause);
      }
      solver_.addClause({-guard.lit, group.guard});
    }
  }
}

}  // namespace heddle
