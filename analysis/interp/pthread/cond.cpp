// Condition variables: Wait, Unlock, Wake, Lock, and the signals.
//
// Who wakes is up to the schedule alone: a waiting thread may wake when the signals since its Wait can be
// divided so that it gets one (ConditionState). A signal that finds nobody waiting is lost. A timed wait asks
// an input whether its time is over first; then it does without a Wake, whenever the schedule lets it go on.
//
// A spurious wake-up is the same: an input decides, and the wait does without a Wake. So that a wait that
// nobody ends still counts as one that lasts for ever, that makes it no timed one. Where the thread would
// come back to where it stood when it had taken the mutex, the input is not asked (spurious_events.cpp).
#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"
#include "analysis/interp/pthread/result_code.h"

namespace heddle {

namespace cond_calls {
namespace {

// Programs wait with a limit in a loop; each round is another input, so there is no end to them.
constexpr uint32_t kMostTimeouts = 3;
// Entries of Thread::sites that stand for no instruction: with them the count is part of the local state.
constexpr uint32_t kTimeoutSites = 0xc0000000;

Task<> init(Call& call) {
  Target target;
  SyncObject* object = co_await call.syncStorage(0, false, target);
  if (!object) co_return;
  if (!co_await call.initialize(*object, target)) co_return;
  call.returns(0);
}

/// Whether the wait ends without a signal. `back`: where the thread would be then.
bool wakesByItself(Call& call, const LookAhead& back, bool isStutter, const std::string& name) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  if (isStutter) return false;
  if (e.program.environment.noSpuriousWakeups) {
    e.assume(e.place(t), "no wait on a condition variable ends without a signal");
    return false;
  }
  const bool hasEffect = e.isCounted(t, back), isCounted = hasEffect && e.options.limitsWakeups;
  e.result.passedWakeupLimit |= hasEffect && !isCounted;
  if (!e.mayHappen(t, isCounted, BoundKind::SpuriousWakeups)) return false;
  const Value ends = e.happens(t, t.operations, "the wait on '" + name + "' ends without a signal");
  const bool hasEnded = e.branch(t, ends, BranchRole::Branch, -1);
  e.noteHappened(t, isCounted, hasEnded);
  return hasEnded;
}

Task<> wait(Call& call) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  Target condition, lock;
  SyncObject* object = co_await call.syncArgument(0, "condition variable", false, condition);
  if (!object || !co_await call.resolve(call.argument(1), 4, false, lock)) co_return;
  const std::string name = call.nameOf(condition);
  MutexState& mutex = mutexAt(call, lock);
  const bool timed = !call.name.ends_with("cond_wait") && call.name != "cnd_wait";
  if (timed && !co_await checkDeadline(call)) co_return;
  if (mutex.owner != t.id) {
    ++t.operations;
    if (mutex.kind > 0) {  // recursive and error-checking ones tell
      call.returns(errno_value::kNotPermitted);
      co_return;
    }
    e.fail(t, FailureKind::Misuse, "wait on '" + name + "' without holding '" + call.nameOf(lock) + "'");
    co_return;
  }
  const Value success{resultCode(call.name, 0)};
  const LookAhead back = e.lookAhead(t, {&success, 1});
  const bool isStutter =
      back.where == Ahead::Same && back.taken == mutex.cell && mutex.depth == 1 && !mutex.robust;
  co_await call.event(EventKind::Wait, &condition);
  t.next.waitsSince = e.result.events;
  e.sink().condition(t.next.event);
  e.describe(t, "wait on " + name);
  // As pthread_mutex_unlock: a recursive mutex is left once.
  const bool released = mutex.depth == 1;
  if (released) {
    co_await call.event(EventKind::Unlock, &lock);
    mutex.owner = kNone;
    mutex.depth = 0;
    e.sink().unlock(t.next.event);
    e.describe(t, "unlock " + call.nameOf(lock) + " to wait");
  } else {
    --mutex.depth;
  }
  const bool isCancelled = co_await cancelledInWait(call);
  bool timeIsOver = isCancelled;
  if (timed) {
    uint32_t& timeouts = t.timeouts[t.pc];
    if (isCancelled) {
      timeouts = 0;
    } else if (timeouts == kMostTimeouts) {
      e.result.bounds.insert({BoundKind::Timeouts, e.place(t), kMostTimeouts});
    } else {
      const Value over = e.input(t, 1, false, "the wait on '" + name + "' times out", true);
      timeIsOver = e.branch(t, over, BranchRole::Branch, -1);
    }
    timeouts = timeIsOver ? timeouts + 1 : 0;
    t.sites[kTimeoutSites + t.pc] = timeouts;
  }
  const bool isSpurious = !timeIsOver && wakesByItself(call, back, isStutter, name);
  if (!timeIsOver && !isSpurious) {
    t.next.sync = object;
    EventAwaiter wake = call.event(EventKind::Wake, &condition);
    wake.event.timed = timed || mayBeCancelled(call);
    co_await wake;
    object->condition.wake(t.next.waitsSince, e.result.events);
    e.sink().condition(t.next.event);
    e.describe(t, "woken on " + name);
  }
  if (released) {
    t.next.mutex = &mutex;
    co_await call.event(EventKind::Lock, &lock);
    acquire(call, mutex);
    e.sink().lock(t.next.event);
    e.describe(t, "lock " + call.nameOf(lock) + " again");
  } else {
    ++mutex.depth;
  }
  // The handlers run with the mutex held.
  if (isCancelled) co_return co_await endCancelled(call);
  call.returns(resultCode(call.name, timeIsOver ? errno_value::kTimedOut : 0));
}

Task<> signal(Call& call) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  Target target;
  SyncObject* object = co_await call.syncArgument(0, "condition variable", false, target);
  if (!object) co_return;
  const bool all = call.name.ends_with("broadcast");
  co_await call.event(all ? EventKind::Broadcast : EventKind::Signal, &target);
  if (all)
    object->condition.lastBroadcast = e.result.events;
  else
    object->condition.signals.push_back(e.result.events);
  e.sink().condition(t.next.event);
  e.describe(t, (all ? "broadcast " : "signal ") + call.nameOf(target));
  call.returns(0);
}

Task<> destroy(Call& call) {
  Target target;
  SyncObject* object = co_await call.syncArgument(0, "condition variable", false, target);
  if (!object) co_return;
  ++call.thread.operations;
  call.dependsOnOthers(BoundKind::DestroyedObjects);
  if (call.context.isWaitedFor(*object)) {
    call.context.failHere(
        call.thread, FailureKind::Misuse,
        "destruction of condition variable '" + call.nameOf(target) + "' while a thread waits on it");
    co_return;
  }
  if (!co_await call.setUsable(*object, Usable::Destroyed, "destroy " + call.nameOf(target))) co_return;
  call.returns(0);
}

/// The clock itself makes no difference: a thread may be as late as the schedule wants.
void setClock(Call& call) {
  constexpr uint64_t kClocks = 2, kInvalid = 22;  // CLOCK_REALTIME, CLOCK_MONOTONIC; EINVAL
  call.returns(call.number(1) < kClocks ? 0 : kInvalid);
}

constexpr ModelledCall kModels[] = {
    {"pthread_cond_init", nullptr, init},
    {"pthread_cond_destroy", nullptr, destroy},
    {"pthread_cond_wait", nullptr, wait},
    {"pthread_cond_timedwait", nullptr, wait},
    {"pthread_cond_clockwait", nullptr, wait},
    {"pthread_cond_signal", nullptr, signal},
    {"pthread_cond_broadcast", nullptr, signal},
    {"cnd_init", nullptr, init},
    {"cnd_destroy", nullptr, destroy},
    {"cnd_wait", nullptr, wait},
    {"cnd_timedwait", nullptr, wait},
    {"cnd_signal", nullptr, signal},
    {"cnd_broadcast", nullptr, signal},
    {"uv_cond_init", nullptr, init},
    {"uv_cond_destroy", nullptr, destroy},
    {"uv_cond_wait", nullptr, wait},
    {"uv_cond_timedwait", nullptr, wait},
    {"uv_cond_signal", nullptr, signal},
    {"uv_cond_broadcast", nullptr, signal},
    {"g_cond_init", nullptr, init},
    {"g_cond_clear", nullptr, destroy},
    {"g_cond_wait", nullptr, wait},
    {"g_cond_wait_until", nullptr, wait},
    {"g_cond_signal", nullptr, signal},
    {"g_cond_broadcast", nullptr, signal},
    {"pthread_condattr_init", succeed, nullptr},
    {"pthread_condattr_destroy", succeed, nullptr},
    {"pthread_condattr_setclock", setClock, nullptr},
    {"pthread_condattr_setpshared", succeed, nullptr},
};

}  // namespace
}  // namespace cond_calls

std::span<const ModelledCall> conditionModels() {
  return cond_calls::kModels;
}

}  // namespace heddle
