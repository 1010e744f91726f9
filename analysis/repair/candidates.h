// Candidates: plans that may repair a finding, most promising first: the plans that diagnosis made, then
// plans made directly from the finding and from the accesses to its data with their locks.
//
// Nothing here is trusted: each candidate is written (realize.h) and explored (verify.h) before it is
// offered.
//
// Threading: pure functions.
#pragma once

#include <vector>

#include "analysis/repair/realize.h"
#include "analysis/report.h"

namespace heddle {

struct Candidate {
  RepairPlan plan;
  RealizeStyle style;
  size_t penalty = 0;  // ranks it behind others that verify too, in units of changed lines

  /// Only an attempt to write the plan shows whether the text has a place for it, so a failed attempt is
  /// not worth a message.
  bool isTriedOut() const {
    using Kind = RepairPlan::Kind;
    return plan.kind == Kind::MoveIntoSection || plan.kind == Kind::UseBeforeCall ||
           plan.kind == Kind::WaitForMore || plan.kind == Kind::UnlockLater ||
           plan.kind == Kind::PublishLast || plan.kind == Kind::BarrierBetween ||
           plan.kind == Kind::ThreadLocal;
  }

  /// The plan makes threads run one after the other. That cures much, but it gives up what the threads are
  /// for. So it is offered after everything else that verifies too.
  bool isLastResort() const {
    return plan.kind == RepairPlan::Kind::MoveJoin && !plan.orders.empty() &&
           plan.orders.front().after.kind == AccessKind::Create;
  }
};

std::vector<Candidate> candidatesFor(const Report& report, const Finding& finding);

}  // namespace heddle
