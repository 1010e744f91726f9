// POSIX semaphores: one cell with the value.
//
// A timed wait is a try: a thread may be as late as the schedule wants, so what it finds when its turn comes
// covers both what it finds at once and what it finds when its time is over.
#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"
#include "analysis/interp/pthread/result_code.h"

namespace heddle {

namespace semaphore_calls {
namespace {

constexpr uint64_t kFailed = ~0ull;     // -1
constexpr uint64_t kMost = 0x7fffffff;  // SEM_VALUE_MAX
// Whether a post finds the most is asked only of semaphores that begin this high: no run posts that often.
constexpr uint64_t kHigh = kMost / 2;

Term positive(TermTable& terms, Term value, Term) {
  return terms.binary(TermOp::Slt, terms.constant(0, kSyncBits), value);
}
Term less(TermTable& terms, Term value, Term) {
  return terms.binary(TermOp::Add, value, terms.constant(widthMask(kSyncBits), kSyncBits));
}
Term more(TermTable& terms, Term value, Term) {
  return terms.binary(TermOp::Add, value, terms.constant(1, kSyncBits));
}
Term moreIfLess(TermTable& terms, Term value, Term operand) {
  const Term full = terms.eq(value, terms.constant(kMost, kSyncBits));
  return terms.ite(full, value, more(terms, value, operand));
}
Term lessIfPositive(TermTable& terms, Term value, Term operand) {
  return terms.ite(positive(terms, value, operand), less(terms, value, operand), value);
}
Term become(TermTable&, Term, Term operand) {
  return operand;
}

constexpr SyncRule kWait{positive, less, "wait", "semaphore"};
constexpr SyncRule kTryWait{nullptr, lessIfPositive, "trywait", "semaphore", true};
constexpr SyncRule kPost{nullptr, more, "post", "semaphore"};
constexpr SyncRule kPostHigh{nullptr, moreIfLess, "post", "semaphore"};
constexpr SyncRule kLook{nullptr, nullptr, "value", "semaphore"};
constexpr SyncRule kInit{nullptr, become, "init", "semaphore"};

void describe(Call& call, const Target& target, const SyncRule& rule, const Value& old) {
  ModelContext& e = call.context;
  if (!e.options.recordTrace || e.prologue) return;
  e.describe(call.thread, std::string("sem_") + rule.verb + " " + call.nameOf(target) + " (was " +
                              std::to_string(old.bits) + ")");
}

void fails(Call& call, uint64_t code) {
  if (isLibuv(call.name)) return call.returns(resultCode(call.name, code));
  call.setErrno(code);
  call.returns(kFailed);
}

Task<> init(Call& call) {
  Target target;
  SyncObject* object = co_await call.syncStorage(0, true, target);
  if (!object) co_return;
  const Value first = call.argument(isLibuv(call.name) ? 1 : 2);  // no other process may use libuv's
  const Value fits = binaryValue(call.context.terms, TermOp::Ule, first, {kMost}, kSyncBits);
  if (!call.context.branch(call.thread, fits, BranchRole::Branch, -1)) {
    co_return fails(call, errno_value::kInvalid);
  }
  object->parameter = first.term != kNoTerm || first.bits > kHigh ? 1 : 0;
  const Value old = co_await call.apply(kInit, *object, first);
  describe(call, target, kInit, old);
  if (!co_await call.makeUsable(*object, target)) co_return;
  call.returns(0);
}

Task<> wait(Call& call) {
  Target target;
  SyncObject* object = co_await call.syncArgument(0, "semaphore", true, target);
  if (!object) co_return;
  if (co_await cancelledInWait(call)) co_return co_await endCancelled(call);
  RuleAwaiter taken = call.apply(kWait, *object);
  taken.timed = mayBeCancelled(call);
  const Value old = co_await taken;
  describe(call, target, kWait, old);
  call.returns(0);
}

Task<> tryWait(Call& call) {
  Target target;
  SyncObject* object = co_await call.syncArgument(0, "semaphore", true, target);
  if (!object) co_return;
  const bool timed = !call.name.ends_with("sem_trywait");
  if (timed && !co_await checkDeadline(call)) co_return;
  const Value old = co_await call.apply(kTryWait, *object);
  describe(call, target, kTryWait, old);
  ModelContext& e = call.context;
  const Value free = binaryValue(e.terms, TermOp::Slt, {0}, old, kSyncBits);
  e.noteEffect(call.thread, free);
  if (free.bits & 1) {
    call.returns(0);
    co_return;
  }
  fails(call, timed ? errno_value::kTimedOut : errno_value::kAgain);
}

Task<> post(Call& call) {
  Target target;
  SyncObject* object = co_await call.syncArgument(0, "semaphore", true, target);
  if (!object) co_return;
  const bool high = object->parameter != 0;
  const Value old = co_await call.apply(high ? kPostHigh : kPost, *object);
  describe(call, target, kPost, old);
  call.returns(0);
  if (!high) co_return;
  ModelContext& e = call.context;
  const Value full = binaryValue(e.terms, TermOp::Eq, old, {kMost}, kSyncBits);
  if (!e.branch(call.thread, full, BranchRole::Branch, -1)) co_return;
  fails(call, errno_value::kOverflow);
}

Task<> value(Call& call) {
  Target target, to;
  SyncObject* object = co_await call.syncArgument(0, "semaphore", true, target);
  if (!object) co_return;
  const Value now = co_await call.apply(kLook, *object);
  describe(call, target, kLook, now);
  if (!co_await call.resolve(call.argument(1), 4, true, to)) co_return;
  co_await call.store(to, 4, now);
  call.returns(0);
}

Task<> destroy(Call& call) {
  Target target;
  SyncObject* object = co_await call.syncArgument(0, "semaphore", true, target);
  if (!object) co_return;
  call.dependsOnOthers(BoundKind::DestroyedObjects);
  ++call.thread.operations;
  if (call.context.isWaitedFor(*object)) {
    call.context.failHere(
        call.thread, FailureKind::Misuse,
        "destruction of semaphore '" + call.nameOf(target) + "' while a thread waits for it");
    co_return;
  }
  if (!co_await call.setUsable(*object, Usable::Destroyed, "destroy " + call.nameOf(target))) co_return;
  call.returns(0);
}

constexpr ModelledCall kModels[] = {
    {"sem_init", nullptr, init},          {"sem_wait", nullptr, wait},
    {"sem_trywait", nullptr, tryWait},    {"sem_timedwait", nullptr, tryWait},
    {"sem_post", nullptr, post},          {"sem_clockwait", nullptr, tryWait},
    {"sem_getvalue", nullptr, value},     {"sem_destroy", nullptr, destroy},
    {"uv_sem_init", nullptr, init},       {"uv_sem_destroy", nullptr, destroy},
    {"uv_sem_post", nullptr, post},       {"uv_sem_wait", nullptr, wait},
    {"uv_sem_trywait", nullptr, tryWait},
};

}  // namespace
}  // namespace semaphore_calls

std::span<const ModelledCall> semaphoreModels() {
  return semaphore_calls::kModels;
}

}  // namespace heddle
