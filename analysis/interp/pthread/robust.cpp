// Robust mutexes: a thread that ends while it holds one leaves it to the next, which is told (EOWNERDEAD) and
// must make it consistent before it unlocks it; else nobody gets it any more (ENOTRECOVERABLE). What a mutex
// has been left in is a hidden cell, read and written by the thread that has it.
#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"

namespace heddle {

namespace robust_calls {
namespace {

constexpr uint64_t kLeft = 1, kLost = 2;  // of the cell

Term become(TermTable&, Term, Term operand) {
  return operand;
}
constexpr SyncRule kLook{nullptr, nullptr, "look", "robust mutex"};
constexpr SyncRule kBecome{nullptr, become, "mark", "robust mutex"};

Task<bool> mark(Call& call, const Target& target, uint64_t state) {
  SyncObject* object = call.context.syncObject(target);
  if (!object) {
    call.context.unsupported(call.thread, "the address space is used up");
    co_return false;
  }
  const Value operand{state};
  co_await call.apply(kBecome, *object, operand);
  co_return true;
}

Task<> makeConsistent(Call& call) {
  Target target;
  if (!co_await call.resolve(call.argument(0), 4, true, target)) co_return;
  MutexState& mutex = call.context.mutex(target);
  if (!mutex.robust || mutex.owner != call.thread.id || !mutex.inconsistent) {
    call.returns(errno_value::kInvalid);
    co_return;
  }
  mutex.inconsistent = false;
  if (co_await mark(call, target, 0)) call.returns(0);
}

constexpr ModelledCall kModels[] = {
    {"pthread_mutex_consistent", nullptr, makeConsistent},
    {"pthread_mutex_consistent_np", nullptr, makeConsistent},
};

}  // namespace
}  // namespace robust_calls

std::span<const ModelledCall> robustModels() {
  return robust_calls::kModels;
}

Task<uint64_t> robustResult(Call& call, MutexState& mutex, const Target& target) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  SyncObject* object = e.syncObject(target);
  if (!object) {
    e.unsupported(t, "the address space is used up");
    co_return 0;
  }
  const Value state = co_await call.apply(robust_calls::kLook, *object);
  const Value left = binaryValue(e.terms, TermOp::Eq, state, {robust_calls::kLeft}, kSyncBits);
  if (e.branch(t, left, BranchRole::Branch, -1)) {
    mutex.inconsistent = true;
    co_return errno_value::kOwnerDead;
  }
  const Value lost = binaryValue(e.terms, TermOp::Eq, state, {robust_calls::kLost}, kSyncBits);
  if (!e.branch(t, lost, BranchRole::Branch, -1)) co_return 0;
  co_await call.event(EventKind::Unlock, &target);
  mutex.owner = kNone;
  mutex.depth = 0;
  e.sink().unlock(t.next.event);
  e.describe(t, "unlock " + call.nameOf(target) + ", not recoverable");
  co_return errno_value::kNotRecoverable;
}

Task<bool> robustUnlock(Call& call, MutexState& mutex, const Target& target) {
  if (!mutex.inconsistent) co_return true;
  mutex.inconsistent = false;
  co_return co_await robust_calls::mark(call, target, robust_calls::kLost);
}

Task<bool> leaveRobust(Call& call) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  const std::vector<Target> held = e.robustHeld(t);
  for (const Target& target : held) {
    if (!co_await robust_calls::mark(call, target, robust_calls::kLeft)) co_return false;
    co_await call.event(EventKind::Unlock, &target);
    MutexState& mutex = e.mutex(target);
    mutex.owner = kNone;
    mutex.depth = 0;
    mutex.inconsistent = false;
    e.sink().unlock(t.next.event);
    e.describe(t, "leave " + call.nameOf(target) + " locked by a thread that ends");
  }
  co_return !e.ended;
}

}  // namespace heddle
