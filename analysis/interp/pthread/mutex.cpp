// Mutexes: normal, recursive and error-checking; spin locks and the mutexes of C11, libuv and GLib are the
// same thing.
//
// A mutex is its address. Its type is read once from the bytes that the initializer left (glibc's layout), or
// set by pthread_mutex_init; its content is otherwise not modelled. A timed lock is a try: a thread may be as
// late as the schedule wants.
#include <optional>

#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"
#include "analysis/interp/pthread/result_code.h"

namespace heddle {

namespace mutex_calls {
namespace {

constexpr int kNormal = 0, kRecursive = 1, kErrorCheck = 2;  // PTHREAD_MUTEX_*
constexpr uint64_t kRobustBit = 16;                          // of an attributes object, beside the kind

std::string nameOf(Call& call, const Target& target) {
  return call.nameOf(target);
}

unsigned kindOffset(const Call& call) {
  return call.pointerBits() == 64 ? 16 : 12;
}

/// Sets the result of the call: `code` is 0 or an error number.
void finish(Call& call, uint64_t code) {
  call.returns(resultCode(call.name, code));
}

/// Of a mutex whose type is not in its bytes: by the functions that are called with it.
std::optional<int> kindByName(const std::string& name) {
  if (name.starts_with("g_rec_mutex_") || name == "uv_mutex_init_recursive") return kRecursive;
  if (isGlib(name) || name.starts_with("pthread_spin_")) return kNormal;
  return std::nullopt;
}

/// The mutex that the call is about; null as resolve, and when it was destroyed. Who holds it has asked
/// whether it was: nobody destroys it meanwhile. So an unlock only counts the operation.
Task<MutexState*> mutexArgument(Call& call, Target& target, bool unlocks = false) {
  if (unlocks) {
    if (!co_await call.resolve(call.argument(0), 4, false, target)) co_return nullptr;
    MutexState& held = mutexAt(call, target);
    if (held.owner == call.thread.id) {
      ++call.thread.operations;
      MutexState* state = &held;
      co_return state;
    }
  }
  const SyncObject* object = co_await call.syncArgument(0, "mutex", false, target);
  if (!object) co_return nullptr;
  MutexState* state = &mutexAt(call, target);
  co_return state;
}

Task<> init(Call& call) {
  ModelContext& e = call.context;
  const Value attributes = call.argument(1);
  int kind = kindByName(call.name).value_or(kNormal);
  bool robust = false;
  if (call.name == "mtx_init") {
    kind = static_cast<int>(call.number(1) & 1);
  } else if (attributes.bits != 0 && call.name == "pthread_mutex_init") {
    Target from;
    if (!co_await call.resolve(attributes, 4, false, from)) co_return;
    const Value value = co_await call.load(from, 4);
    kind = static_cast<int>(value.bits & 3);
    robust = (value.bits & kRobustBit) != 0;
  }
  Target target;
  SyncObject* object = co_await call.syncStorage(0, false, target);
  if (!object || !co_await call.initialize(*object, target)) co_return;
  MutexState& state = e.mutex(target);
  state.kind = kind == 3 ? kNormal : kind;
  state.robust = robust;
  call.returns(0);
}

Task<> lock(Call& call) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  Target target;
  MutexState* mutex = co_await mutexArgument(call, target);
  if (!mutex) co_return;
  if (mutex->owner == t.id && mutex->kind != kNormal) {
    ++t.operations;
    if (mutex->kind == kRecursive) ++mutex->depth;
    finish(call, mutex->kind == kRecursive ? 0 : errno_value::kWouldDeadlock);
    co_return;
  }
  t.next.mutex = mutex;
  co_await call.event(EventKind::Lock, &target);
  acquire(call, *mutex);
  e.sink().lock(t.next.event);
  if (e.options.recordTrace) e.describe(t, "lock " + nameOf(call, target));
  uint64_t code = 0;
  if (mutex->robust) code = co_await robustResult(call, *mutex, target);
  finish(call, code);
}

Task<> tryLock(Call& call) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  Target target;
  MutexState* mutex = co_await mutexArgument(call, target);
  if (!mutex) co_return;
  const bool timed = call.name.find("trylock") == std::string::npos;
  if (call.name == "pthread_mutex_clocklock" && !checkClock(call)) co_return;
  const bool isOwn = mutex->owner == t.id;
  if (isOwn && (mutex->kind == kRecursive || (timed && mutex->kind == kErrorCheck))) {
    ++t.operations;
    if (mutex->kind == kRecursive) ++mutex->depth;
    finish(call, mutex->kind == kRecursive ? 0 : errno_value::kWouldDeadlock);
    co_return;
  }
  co_await call.event(EventKind::LockBusy, &target);
  const bool acquired = mutex->owner == kNone;
  if (acquired) {
    acquire(call, *mutex);
    t.next.event.kind = EventKind::Lock;
    e.retitle(t, EventKind::Lock);
  }
  t.uncertain = true;
  e.sink().tryLock(t.next.event, acquired);
  if (e.options.recordTrace) e.describe(t, (acquired ? "lock " : "trylock (busy) ") + nameOf(call, target));
  uint64_t code = acquired ? 0 : timed ? errno_value::kTimedOut : errno_value::kBusy;
  if (code == errno_value::kTimedOut && !co_await checkDeadline(call)) co_return;
  if (acquired && mutex->robust) code = co_await robustResult(call, *mutex, target);
  finish(call, code);
}

Task<> unlock(Call& call) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  Target target;
  MutexState* mutex = co_await mutexArgument(call, target, true);
  if (!mutex) co_return;
  if (mutex->owner != t.id) {
    ++t.operations;
    if (mutex->kind == kNormal) {
      e.fail(t, FailureKind::Misuse,
             "unlock of '" + nameOf(call, target) + "', which this thread does not hold");
      co_return;
    }
    finish(call, errno_value::kNotPermitted);
    co_return;
  }
  if (--mutex->depth > 0) {
    ++t.operations;
    finish(call, 0);
    co_return;
  }
  mutex->depth = 1;  // until the event is executed
  if (mutex->robust && !co_await robustUnlock(call, *mutex, target)) co_return;
  co_await call.event(EventKind::Unlock, &target);
  mutex->owner = kNone;
  mutex->depth = 0;
  e.sink().unlock(t.next.event);
  if (e.options.recordTrace) e.describe(t, "unlock " + nameOf(call, target));
  finish(call, 0);
}

/// Whether nobody holds the mutex: asked by taking it for a moment, so that the exploration finds out whether
/// anybody can.
Task<bool> isFree(Call& call, MutexState& mutex, const Target& target) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  if (e.prologue || mutex.robust || mutex.owner == t.id) {
    ++t.operations;
    co_return mutex.owner == kNone;
  }
  co_await call.event(EventKind::LockBusy, &target);
  const bool free = mutex.owner == kNone;
  if (free) {
    mutex.owner = t.id;
    mutex.depth = 1;
    t.next.event.kind = EventKind::Lock;
    e.retitle(t, EventKind::Lock);
  }
  t.uncertain = true;
  e.sink().tryLock(t.next.event, free);
  e.describe(t, "look whether " + nameOf(call, target) + " is locked");
  if (!free) co_return false;
  co_await call.event(EventKind::Unlock, &target);
  mutex.owner = kNone;
  mutex.depth = 0;
  e.sink().unlock(t.next.event);
  e.describe(t, nameOf(call, target) + " is not locked");
  co_return true;
}

Task<> destroy(Call& call) {
  Target target;
  MutexState* mutex = co_await mutexArgument(call, target);
  if (!mutex) co_return;
  if (!co_await isFree(call, *mutex, target)) {
    call.context.fail(call.thread, FailureKind::Misuse,
                      "destruction of '" + nameOf(call, target) + "' while it is locked");
    co_return;
  }
  SyncObject& object = *call.context.syncObject(target);
  if (!co_await call.setUsable(object, Usable::Destroyed, "destroy " + nameOf(call, target))) co_return;
  finish(call, 0);
}

Task<> attributeSet(Call& call) {
  Target target;
  if (!co_await call.resolve(call.argument(0), 4, true, target)) co_return;
  uint64_t bits = 0;
  if (call.name != "pthread_mutexattr_init") {
    const Value old = call.context.settled(call.thread, co_await call.load(target, 4));
    call.context.choose(call.thread, old);
    const uint64_t given = call.number(1);
    const bool setsRobust = call.name.starts_with("pthread_mutexattr_setrobust");
    bits = setsRobust ? (old.bits & ~kRobustBit) | (given != 0 ? kRobustBit : 0)
                      : (old.bits & kRobustBit) | (given & 3);
  }
  const Value now{bits};
  co_await call.store(target, 4, now);
  finish(call, 0);
}

Task<> attributeGet(Call& call) {
  Target from, to;
  if (!co_await call.resolve(call.argument(0), 4, false, from)) co_return;
  const Value value = co_await call.load(from, 4);
  const bool asksRobust = call.name.starts_with("pthread_mutexattr_getrobust");
  const Value part =
      binaryValue(call.context.terms, TermOp::And,
                  asksRobust ? binaryValue(call.context.terms, TermOp::LShr, value, {4}, 32) : value,
                  {asksRobust ? 1u : 3u}, 32);
  if (!co_await call.resolve(call.argument(1), 4, true, to)) co_return;
  co_await call.store(to, 4, part);
  call.returns(0);
}

constexpr ModelledCall kModels[] = {
    {"pthread_mutex_init", nullptr, init},
    {"pthread_mutex_destroy", nullptr, destroy},
    {"pthread_mutex_lock", nullptr, lock},
    {"pthread_mutex_trylock", nullptr, tryLock},
    {"pthread_mutex_timedlock", nullptr, tryLock},
    {"pthread_mutex_clocklock", nullptr, tryLock},
    {"pthread_mutex_unlock", nullptr, unlock},
    {"pthread_spin_init", nullptr, init},
    {"pthread_spin_destroy", nullptr, destroy},
    {"pthread_spin_lock", nullptr, lock},
    {"pthread_spin_trylock", nullptr, tryLock},
    {"pthread_spin_unlock", nullptr, unlock},
    {"mtx_init", nullptr, init},
    {"mtx_destroy", nullptr, destroy},
    {"mtx_lock", nullptr, lock},
    {"mtx_trylock", nullptr, tryLock},
    {"mtx_timedlock", nullptr, tryLock},
    {"mtx_unlock", nullptr, unlock},
    {"uv_mutex_init", nullptr, init},
    {"uv_mutex_init_recursive", nullptr, init},
    {"uv_mutex_destroy", nullptr, destroy},
    {"uv_mutex_lock", nullptr, lock},
    {"uv_mutex_trylock", nullptr, tryLock},
    {"uv_mutex_unlock", nullptr, unlock},
    {"g_mutex_init", nullptr, init},
    {"g_mutex_clear", nullptr, destroy},
    {"g_mutex_lock", nullptr, lock},
    {"g_mutex_trylock", nullptr, tryLock},
    {"g_mutex_unlock", nullptr, unlock},
    {"g_rec_mutex_init", nullptr, init},
    {"g_rec_mutex_clear", nullptr, destroy},
    {"g_rec_mutex_lock", nullptr, lock},
    {"g_rec_mutex_trylock", nullptr, tryLock},
    {"g_rec_mutex_unlock", nullptr, unlock},
    {"pthread_mutexattr_init", nullptr, attributeSet},
    {"pthread_mutexattr_settype", nullptr, attributeSet},
    {"pthread_mutexattr_gettype", nullptr, attributeGet},
    {"pthread_mutexattr_setrobust", nullptr, attributeSet},
    {"pthread_mutexattr_setrobust_np", nullptr, attributeSet},
    {"pthread_mutexattr_getrobust", nullptr, attributeGet},
    {"pthread_mutexattr_destroy", succeed, nullptr},
    {"pthread_mutexattr_setpshared", succeed, nullptr},
    {"pthread_mutexattr_setprotocol", succeed, nullptr},
};

}  // namespace
}  // namespace mutex_calls

void acquire(Call& call, MutexState& mutex) {
  mutex.owner = call.thread.id;
  mutex.depth = 1;
  mutex.cell = call.thread.next.event.cells[0];
  mutex.since = call.thread.rounds.ownEvents;
}

std::span<const ModelledCall> mutexModels() {
  return mutex_calls::kModels;
}

MutexState& mutexAt(Call& call, const Target& target) {
  MutexState& state = call.context.mutex(target);
  if (state.kind >= 0) return state;
  const std::optional<int> known = mutex_calls::kindByName(call.name);
  state.kind = known.value_or(mutex_calls::kNormal);
  if (known) return state;
  const uint64_t at = target.offset + mutex_calls::kindOffset(call);
  if (target.object->contains(at, 4)) {
    const auto kind = static_cast<int>(call.context.memory.read(*target.object, at, 4).bits & 3);
    if (kind == mutex_calls::kRecursive || kind == mutex_calls::kErrorCheck) state.kind = kind;
  }
  return state;
}

}  // namespace heddle
