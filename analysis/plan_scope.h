// PlanScope: for whom a repair plan is right.
//
// Threading: pure functions.
#pragma once

#include <algorithm>

#include "analysis/repair_plan.h"

namespace heddle {

/// It puts two threads of this program in order where their code is called by others too: functions that the
/// threads only call keep their bug, and may hang where nobody sends what they wait for.
inline bool isForOneCaller(const RepairPlan& plan) {
  const bool isMove =
      plan.kind == RepairPlan::Kind::MoveJoin || plan.kind == RepairPlan::Kind::MoveBeforeCreate;
  // A function that the threads only call does the create or join: it keeps the order for all its callers.
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
