// PlanScope: whether a repair plan is right for all callers of the code or for this program alone.
//
// Threading: pure functions.
#pragma once

#include <algorithm>

#include "analysis/repair_plan.h"

namespace heddle {

/// The plan orders two threads of this program, but the code that it orders lies in functions that the
/// threads only call. For other callers these functions keep their bug, and they may wait for ever for a
/// signal that nobody sends.
inline bool isForOneCaller(const RepairPlan& plan) {
  const bool isMove =
      plan.kind == RepairPlan::Kind::MoveJoin || plan.kind == RepairPlan::Kind::MoveBeforeCreate;
  // The create or join is itself in a function that the thread only calls, so all its callers get the
  // order.
  if (isMove && plan.create && plan.create->place.function != plan.create->threadFunction) return false;
  const bool isOrder = isMove || plan.kind == RepairPlan::Kind::SignalWait;
  const auto isCalled = [](const SourceAccess& access) {
    return access.place.function != access.threadFunction;
  };
  return isOrder && std::any_of(plan.orders.begin(), plan.orders.end(), [&](const PlannedOrder& order) {
           return isCalled(order.before) || isCalled(order.after);
         });
}

}  // namespace heddle
