// Barriers: the cell holds how many rounds are over (upper half) and how many threads have arrived in the
// current one. A thread arrives, then waits until its round is over; the one that completes a round is its
// serial thread.
#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"
#include "analysis/interp/pthread/result_code.h"

namespace heddle {

namespace barrier_calls {
namespace {

constexpr unsigned kHalf = kSyncBits / 2;

Term round(TermTable& terms, Term state) {
  return terms.extract(state, kHalf, kHalf);
}
/// The operand is the number of threads minus one.
Term completes(TermTable& terms, Term state, Term others) {
  return terms.eq(terms.extract(state, 0, kHalf), terms.extract(others, 0, kHalf));
}
Term arrive(TermTable& terms, Term state, Term others) {
  const Term next = terms.binary(TermOp::Add, round(terms, state), terms.constant(1, kHalf));
  return terms.ite(completes(terms, state, others), terms.concat(next, terms.constant(0, kHalf)),
                   terms.binary(TermOp::Add, state, terms.constant(1, kSyncBits)));
}
/// The operand is the state that the thread found when it arrived.
Term roundIsOver(TermTable& terms, Term state, Term found) {
  return terms.logicalNot(terms.eq(round(terms, state), round(terms, found)));
}
/// Threads that were let pass before it was destroyed may still have to leave: the rounds go on counting.
Term restart(TermTable& terms, Term state, Term) {
  return terms.concat(round(terms, state), terms.constant(0, kHalf));
}

constexpr SyncRule kInit{nullptr, restart, "init", "barrier"};
constexpr SyncRule kArrive{nullptr, arrive, "arrive", "barrier"};
constexpr SyncRule kLook{nullptr, nullptr, "look", "barrier"};
constexpr SyncRule kPass{roundIsOver, nullptr, "pass", "barrier"};

Task<> init(Call& call) {
  Target target;
  SyncObject* object = co_await call.syncStorage(0, true, target);
  if (!object) co_return;
  const uint64_t count = call.number(isLibuv(call.name) ? 1 : 2) & 0xffffffffu;
  if (count == 0) {
    ++call.thread.operations;
    call.returns(resultCode(call.name, errno_value::kInvalid));
    co_return;
  }
  if (count >> kHalf) {
    call.context.unsupported(call.thread, "a barrier of more than 65535 threads");
    co_return;
  }
  if (!co_await call.checkFresh(*object, "barrier", target)) co_return;
  co_await call.apply(kInit, *object);
  object->parameter = count;
  if (!co_await call.setUsable(*object, Usable::Yes, "initialize " + call.nameOf(target))) co_return;
  call.returns(0);
}

Task<> wait(Call& call) {
  ModelContext& e = call.context;
  Target target;
  SyncObject* object = co_await call.syncArgument(0, "barrier", true, target);
  if (!object) co_return;
  const Value others{object->parameter - 1};
  const Value found = co_await call.apply(kArrive, *object, others);
  if (!e.prologue) e.describe(call.thread, "arrive at barrier " + call.nameOf(target));
  co_await call.apply(kPass, *object, found);
  if (!e.prologue) e.describe(call.thread, "pass barrier " + call.nameOf(target));
  // PTHREAD_BARRIER_SERIAL_THREAD is -1; libuv gives 1.
  const Value arrived = extracted(e.terms, found, 0, kHalf, kSyncBits);
  const Value serial = binaryValue(e.terms, TermOp::Eq, arrived, others, kHalf);
  call.returns(isLibuv(call.name) ? zeroExtended(e.terms, serial, 1, kSyncBits)
                                  : signExtended(e.terms, serial, 1, kSyncBits),
               kSyncBits);
}

Task<> destroy(Call& call) {
  Target target;
  SyncObject* object = co_await call.syncArgument(0, "barrier", true, target);
  if (!object) co_return;
  ModelContext& e = call.context;
  // Threads whose round is over have only to leave; that is no use of the barrier any more.
  const Value state = co_await call.apply(kLook, *object);
  if (!e.prologue) e.describe(call.thread, "look who waits at barrier " + call.nameOf(target));
  const Value waiting = notEqual(e.terms, extracted(e.terms, state, 0, kHalf, kSyncBits), {0}, kHalf);
  if (e.branch(call.thread, waiting, BranchRole::Check, 1)) {
    e.fail(call.thread, FailureKind::Misuse,
           "destruction of barrier '" + call.nameOf(target) + "' while a thread waits at it");
    co_return;
  }
  if (!co_await call.setUsable(*object, Usable::Destroyed, "destroy " + call.nameOf(target))) co_return;
  call.returns(0);
}

constexpr ModelledCall kModels[] = {
    {"pthread_barrier_init", nullptr, init},
    {"pthread_barrier_wait", nullptr, wait},
    {"pthread_barrier_destroy", nullptr, destroy},
    {"pthread_barrierattr_init", succeed, nullptr},
    {"uv_barrier_init", nullptr, init},
    {"uv_barrier_wait", nullptr, wait},
    {"uv_barrier_destroy", nullptr, destroy},
    {"pthread_barrierattr_destroy", succeed, nullptr},
    {"pthread_barrierattr_setpshared", succeed, nullptr},
};

}  // namespace
}  // namespace barrier_calls

std::span<const ModelledCall> barrierModels() {
  return barrier_calls::kModels;
}

}  // namespace heddle
