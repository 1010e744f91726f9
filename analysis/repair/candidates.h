// Candidates: what may repair a finding, most promising first: the plans that diagnosis made, then plans made
// straight from the finding and from who accesses its data under which locks.
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
  size_t penalty = 0;  // of changed lines that it is ranked behind others which verify as well

  /// Whether the text has a place for it, only writing it shows: that it has none is no news.
  bool isTriedOut() const {
    using Kind = RepairPlan::Kind;
    return plan.kind == Kind::MoveIntoSection || plan.kind == Kind::UseBeforeCall ||
           plan.kind == Kind::WaitForMore || plan.kind == Kind::UnlockLater ||
           plan.kind == Kind::PublishLast || plan.kind == Kind::BarrierBetween ||
           plan.kind == Kind::ThreadLocal;
  }

  /// The threads run one after the other: that cures much, but it is what one had without threads. Offered
  /// behind everything else that verifies as well.
  bool isLastResort() const {
    return plan.kind == RepairPlan::Kind::MoveJoin && !plan.orders.empty() &&
           plan.orders.front().after.kind == AccessKind::Create;
  }
};

std::vector<Candidate> candidatesFor(const Report& report, const Finding& finding);

}  // namespace heddle
