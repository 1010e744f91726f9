// Cancellation of threads (POSIX.1-2017, 2.9.5), deferred: a request is kept in a hidden cell of the thread
// that it is for, and acted on at the next cancellation point at which the thread allows it.
//
// A wait that a cancellation can end is left in one of two ways: an input says which, and the thread that is
// cancelled waits for the request instead. Asynchronous cancellation is not modelled. In a program that never
// calls pthread_cancel nothing here costs anything.
#include <algorithm>

#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"

namespace heddle {

namespace cancel_calls {
namespace {

constexpr uint64_t kCanceled = ~0ull;  // PTHREAD_CANCELED
constexpr uint64_t kAsynchronous = 1;  // PTHREAD_CANCEL_ASYNCHRONOUS
// An entry of Thread::sites that stands for no instruction: whether a thread allows it is part of its state.
constexpr uint32_t kStateSite = 0xb0000000;

Term requested(TermTable& terms, Term state, Term) {
  return terms.logicalNot(terms.binary(TermOp::Eq, state, terms.constant(0, kSyncBits)));
}
Term request(TermTable& terms, Term, Term) {
  return terms.constant(1, kSyncBits);
}

constexpr SyncRule kRequest{nullptr, request, "cancel", "cancellation"};
constexpr SyncRule kLook{nullptr, nullptr, "look", "cancellation"};
constexpr SyncRule kAwait{requested, nullptr, "await", "cancellation"};

void setDisabled(Thread& t, bool disabled) {
  t.calls.cancelDisabled = disabled;
  t.sites[kStateSite] = disabled ? 1 : 0;
}

Task<> cancel(Call& call) {
  ModelContext& e = call.context;
  const uint64_t handle = call.number(0);
  const Thread* other = handle == 0 ? nullptr : e.thread(static_cast<ThreadId>(handle - 1));
  if (!other || other->joined) {
    call.returns(errno_value::kNoSuchThread);
    co_return;
  }
  SyncObject* object = e.cancelRequest(other->id);
  if (!object) {
    e.unsupported(call.thread, "the address space is used up");
    co_return;
  }
  co_await call.apply(kRequest, *object);
  if (!e.prologue) e.describe(call.thread, "cancel " + other->label);
  call.returns(0);
}

Task<> storeOld(Call& call, uint64_t old) {
  const Value to = call.argument(1);
  call.returns(0);
  if (to.bits == 0) co_return;
  Target target;
  if (!co_await call.resolve(to, 4, true, target)) co_return;
  co_await call.store(target, 4, {old});
}

Task<> setState(Call& call) {
  const uint64_t state = call.number(0);
  if (state > 1) {
    call.returns(errno_value::kInvalid);
    co_return;
  }
  const bool old = call.thread.calls.cancelDisabled;
  setDisabled(call.thread, state == 1);
  co_await storeOld(call, old ? 1 : 0);
}

Task<> setType(Call& call) {
  if (call.number(0) == kAsynchronous && call.context.program.cancels) {
    call.context.unsupported(call.thread, "asynchronous cancellation");
    co_return;
  }
  co_await storeOld(call, 0);
}

void nothing(Call& call) {
  call.returns(0);
}

constexpr ModelledCall kModels[] = {
    {"pthread_cancel", nullptr, cancel},
    {"pthread_testcancel", nothing, nullptr},
    {"pthread_setcancelstate", nullptr, setState},
    {"pthread_setcanceltype", nullptr, setType},
};

}  // namespace
}  // namespace cancel_calls

std::span<const ModelledCall> cancelModels() {
  return cancel_calls::kModels;
}

bool isCancellationPoint(std::string_view name) {
  static constexpr std::string_view kPoints[] = {"pthread_testcancel",
                                                 "pthread_join",
                                                 "pthread_cond_wait",
                                                 "pthread_cond_timedwait",
                                                 "sem_wait",
                                                 "sem_timedwait",
                                                 "sleep",
                                                 "usleep",
                                                 "nanosleep",
                                                 "clock_nanosleep",
                                                 "read",
                                                 "write",
                                                 "open",
                                                 "close",
                                                 "recv",
                                                 "send",
                                                 "accept",
                                                 "connect",
                                                 "poll",
                                                 "select",
                                                 "fsync",
                                                 "pause",
                                                 "wait"};
  return std::find(std::begin(kPoints), std::end(kPoints), name) != std::end(kPoints);
}

bool mayBeCancelled(const Call& call) {
  return call.context.program.cancels && !call.thread.calls.cancelDisabled;
}

Task<> cancelFirst(Call& call, const ModelledCall& model) {
  ModelContext& e = call.context;
  if (mayBeCancelled(call)) {
    SyncObject* object = e.cancelRequest(call.thread.id);
    if (!object) {
      e.unsupported(call.thread, "the address space is used up");
      co_return;
    }
    const Value asked = co_await call.apply(cancel_calls::kLook, *object);
    if (e.branch(call.thread, notEqual(e.terms, asked, {0}, kSyncBits), BranchRole::Branch, -1)) {
      co_await endCancelled(call);
      co_return;
    }
  }
  if (model.plain)
    model.plain(call);
  else
    co_await model.task(call);
}

Task<bool> cancelledInWait(Call& call) {
  if (!mayBeCancelled(call)) co_return false;
  ModelContext& e = call.context;
  Thread& t = call.thread;
  const Value here = e.input(t, 1, false, "the thread is cancelled while it waits", true);
  SyncObject* object = e.cancelRequest(t.id);
  if (!object || !e.branch(t, here, BranchRole::Branch, -1)) {
    e.result.bounds.insert({BoundKind::CancelledWaits, e.place(t)});
    co_return false;
  }
  RuleAwaiter asked = call.apply(cancel_calls::kAwait, *object);
  asked.timed = true;
  co_await asked;
  e.describe(t, "cancelled");
  co_return true;
}

Task<> endCancelled(Call& call) {
  cancel_calls::setDisabled(call.thread, true);
  return exitThread(call, {cancel_calls::kCanceled & widthMask(call.pointerBits())});
}

}  // namespace heddle
