#include "analysis/report.h"

namespace heddle {

const char* toString(Verdict verdict) {
  switch (verdict) {
    case Verdict::Violated:
      return "violated";
    case Verdict::Verified:
      return "verified";
    case Verdict::VerifiedWithinBounds:
      return "verified-within-bounds";
    case Verdict::Incomplete:
      return "incomplete";
    case Verdict::Cancelled:
      return "cancelled";
    case Verdict::Unsupported:
      return "unsupported";
    case Verdict::Error:
      return "error";
  }
  return "error";
}

const char* toString(Unreached::Kind kind) {
  switch (kind) {
    case Unreached::Kind::Threads:
      return "threads";
    case Unreached::Kind::End:
      return "end";
    case Unreached::Kind::Assertion:
      return "assertion";
    case Unreached::Kind::Function:
      return "function";
    case Unreached::Kind::BranchSide:
      return "branch";
    case Unreached::Kind::NoEnd:
      return "no-end";
  }
  return "function";
}

const char* toString(RepairStatus status) {
  switch (status) {
    case RepairStatus::Verified:
      return "verified";
    case RepairStatus::VerifiedWithinBudget:
      return "verified-within-budget";
    case RepairStatus::Rejected:
      return "rejected";
  }
  return "rejected";
}

const char* toString(RaceState state) {
  switch (state) {
    case RaceState::Shown:
      return "shown";
    case RaceState::SameData:
      return "same data";
    case RaceState::NotFound:
      return "not found";
  }
  return "?";
}

const char* toString(SavedState state) {
  switch (state) {
    case SavedState::Fails:
      return "fails";
    case SavedState::Passes:
      return "passes";
    case SavedState::Impossible:
      return "impossible";
    case SavedState::Lost:
      return "lost";
  }
  return "lost";
}

const char* toString(RepairPlan::Kind kind) {
  switch (kind) {
    case RepairPlan::Kind::CriticalSections:
      return "critical-sections";
    case RepairPlan::Kind::SignalWait:
      return "signal-wait";
    case RepairPlan::Kind::AtomicAccess:
      return "atomic";
    case RepairPlan::Kind::MoveBeforeCreate:
      return "move-before-create";
    case RepairPlan::Kind::MoveJoin:
      return "move-join";
    case RepairPlan::Kind::LockOrder:
      return "lock-order";
    case RepairPlan::Kind::LoopAroundWait:
      return "loop-around-wait";
    case RepairPlan::Kind::ReleaseLock:
      return "release-lock";
    case RepairPlan::Kind::AnnounceChange:
      return "announce-change";
    case RepairPlan::Kind::StrongerCall:
      return "stronger-call";
    case RepairPlan::Kind::InitialCount:
      return "initial-count";
    case RepairPlan::Kind::AtomicUpdate:
      return "atomic-update";
    case RepairPlan::Kind::LockByAddress:
      return "lock-by-address";
    case RepairPlan::Kind::ReleaseFirst:
      return "release-first";
    case RepairPlan::Kind::MoveIntoSection:
      return "move-into-section";
    case RepairPlan::Kind::UseBeforeCall:
      return "use-before-call";
    case RepairPlan::Kind::WaitForMore:
      return "wait-for-more";
    case RepairPlan::Kind::RetainEarlier:
      return "retain-earlier";
    case RepairPlan::Kind::UnlockLater:
      return "unlock-later";
    case RepairPlan::Kind::WaitOutside:
      return "wait-outside";
    case RepairPlan::Kind::PublishLast:
      return "publish-last";
    case RepairPlan::Kind::ThreadLocal:
      return "thread-local";
    case RepairPlan::Kind::BarrierBetween:
      return "barrier-between";
    case RepairPlan::Kind::Fences:
      return "fences";
  }
  return "critical-sections";
}

}  // namespace heddle
