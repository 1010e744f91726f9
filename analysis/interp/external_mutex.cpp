// Mutexes: normal, recursive and error-checking.
//
// A mutex is its address. Its type is read once from the bytes that the initializer left (glibc's layout), or
// set by pthread_mutex_init; its content is otherwise not modelled.
#include "analysis/interp/execution.h"

namespace heddle {

namespace {

constexpr int kNormal = 0, kRecursive = 1, kErrorCheck = 2;  // PTHREAD_MUTEX_*
constexpr uint64_t kBusy = 16;                               // EBUSY
constexpr uint64_t kNotPermitted = 1;                        // EPERM
constexpr uint64_t kDeadlock = 35;                           // EDEADLK

std::string nameOf(Call& call, const Target& target) {
  return call.execution.program.describe(call.execution.names.info(target.object->id).name, target.offset, 1);
}

unsigned kindOffset(const Call& call) {
  return call.pointerBits() == 64 ? 16 : 12;
}

MutexState& mutexAt(Call& call, const Target& target) {
  MutexState& state = call.execution.mutex(target);
  if (state.kind >= 0) return state;
  state.kind = kNormal;
  const uint64_t at = target.offset + kindOffset(call);
  if (target.object->contains(at, 4)) {
    const auto kind = static_cast<int>(call.execution.memory.read(*target.object, at, 4).bits & 3);
    if (kind == kRecursive || kind == kErrorCheck) state.kind = kind;
  }
  return state;
}

Task<> init(Call& call) {
  Execution& e = call.execution;
  const Value attributes = call.argument(1);
  int kind = kNormal;
  if (attributes.bits != 0) {
    Target from;
    if (!co_await call.resolve(attributes, 4, false, from)) co_return;
    const Value value = co_await call.load(from, 4);
    kind = static_cast<int>(value.bits & 3);
  }
  Target target;
  if (!co_await call.resolve(call.argument(0), 4, true, target)) co_return;
  ++call.thread.operations;
  MutexState& state = e.mutex(target);
  state.kind = kind == 3 ? kNormal : kind;
  state.destroyed = false;
  call.returns(0);
}

Task<> lock(Call& call) {
  Execution& e = call.execution;
  Thread& t = call.thread;
  Target target;
  if (!co_await call.resolve(call.argument(0), 4, false, target)) co_return;
  MutexState* mutex = &mutexAt(call, target);
  if (mutex->owner == t.id && mutex->kind != kNormal) {
    ++t.operations;
    if (mutex->kind == kRecursive) ++mutex->depth;
    call.returns(mutex->kind == kRecursive ? 0 : kDeadlock);
    co_return;
  }
  t.mutex = mutex;
  co_await call.event(EventKind::Lock, &target);
  mutex->owner = t.id;
  mutex->depth = 1;
  e.sink().lock(t.pending);
  if (e.options.recordTrace) e.describe(t, "lock " + nameOf(call, target));
  call.returns(0);
}

Task<> tryLock(Call& call) {
  Execution& e = call.execution;
  Thread& t = call.thread;
  Target target;
  if (!co_await call.resolve(call.argument(0), 4, false, target)) co_return;
  MutexState* mutex = &mutexAt(call, target);
  if (mutex->owner == t.id) {
    ++t.operations;
    if (mutex->kind == kRecursive) ++mutex->depth;
    call.returns(mutex->kind == kRecursive ? 0 : kBusy);
    co_return;
  }
  co_await call.event(EventKind::LockBusy, &target);
  const bool acquired = mutex->owner == kNone;
  if (acquired) {
    mutex->owner = t.id;
    mutex->depth = 1;
    t.pending.kind = EventKind::Lock;
    e.retitle(t, EventKind::Lock);
  }
  e.sink().tryLock(t.pending, acquired);
  if (e.options.recordTrace) e.describe(t, (acquired ? "lock " : "trylock (busy) ") + nameOf(call, target));
  call.returns(acquired ? 0 : kBusy);
}

Task<> unlock(Call& call) {
  Execution& e = call.execution;
  Thread& t = call.thread;
  Target target;
  if (!co_await call.resolve(call.argument(0), 4, false, target)) co_return;
  MutexState* mutex = &mutexAt(call, target);
  if (mutex->owner != t.id) {
    ++t.operations;
    if (mutex->kind == kNormal) {
      e.fail(t, FailureKind::Misuse,
             "unlock of '" + nameOf(call, target) + "', which this thread does not hold");
      co_return;
    }
    call.returns(kNotPermitted);
    co_return;
  }
  if (--mutex->depth > 0) {
    ++t.operations;
    call.returns(0);
    co_return;
  }
  mutex->depth = 1;  // until the event is executed
  co_await call.event(EventKind::Unlock, &target);
  mutex->owner = kNone;
  mutex->depth = 0;
  e.sink().unlock(t.pending);
  if (e.options.recordTrace) e.describe(t, "unlock " + nameOf(call, target));
  call.returns(0);
}

Task<> destroy(Call& call) {
  Target target;
  if (!co_await call.resolve(call.argument(0), 4, false, target)) co_return;
  const MutexState* mutex = &mutexAt(call, target);
  ++call.thread.operations;
  if (mutex->owner == call.thread.id) {
    call.execution.fail(call.thread, FailureKind::Misuse,
                        "destruction of '" + nameOf(call, target) + "' while it is locked");
    co_return;
  }
  call.returns(0);
}

Task<> attributeSet(Call& call) {
  Target target;
  if (!co_await call.resolve(call.argument(0), 4, true, target)) co_return;
  const bool isInit = call.name == "pthread_mutexattr_init";
  co_await call.store(target, 4, isInit ? Value{0} : Value{call.number(1) & 0xffffffffu});
  call.returns(0);
}

void success(Call& call) {
  call.returns(0);
}

constexpr ModelledCall kModels[] = {
    {"pthread_mutex_init", nullptr, init},
    {"pthread_mutex_destroy", nullptr, destroy},
    {"pthread_mutex_lock", nullptr, lock},
    {"pthread_mutex_trylock", nullptr, tryLock},
    {"pthread_mutex_unlock", nullptr, unlock},
    {"pthread_mutexattr_init", nullptr, attributeSet},
    {"pthread_mutexattr_settype", nullptr, attributeSet},
    {"pthread_mutexattr_destroy", success, nullptr},
    {"pthread_mutexattr_setpshared", success, nullptr},
    {"pthread_mutexattr_setprotocol", success, nullptr},
};

}  // namespace

std::span<const ModelledCall> mutexModels() {
  return kModels;
}

void Execution::retitle(const Thread& t, EventKind kind) {
  if (options.recordTrace && !result.trace.empty() && result.trace.back().thread == t.id)
    result.trace.back().kind = kind;
}

}  // namespace heddle
