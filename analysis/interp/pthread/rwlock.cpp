// Read-write locks: the cell holds the number of readers, or all ones while a thread writes. Readers do not
// wait for writers that wait, as in glibc's default.
#include <algorithm>

#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"
#include "analysis/interp/pthread/result_code.h"

namespace heddle {

namespace rwlock_calls {
namespace {

Term written(TermTable& terms) {
  return terms.constant(widthMask(kSyncBits), kSyncBits);
}
Term notWritten(TermTable& terms, Term state, Term) {
  return terms.logicalNot(terms.eq(state, written(terms)));
}
Term isFree(TermTable& terms, Term state, Term) {
  return terms.eq(state, terms.constant(0, kSyncBits));
}
Term addReader(TermTable& terms, Term state, Term) {
  return terms.binary(TermOp::Add, state, terms.constant(1, kSyncBits));
}
Term removeReader(TermTable& terms, Term state, Term) {
  return terms.binary(TermOp::Add, state, terms.constant(widthMask(kSyncBits), kSyncBits));
}
Term write(TermTable& terms, Term, Term) {
  return written(terms);
}
Term release(TermTable& terms, Term, Term) {
  return terms.constant(0, kSyncBits);
}
Term tryRead(TermTable& terms, Term state, Term operand) {
  return terms.ite(notWritten(terms, state, operand), addReader(terms, state, operand), state);
}
Term tryWrite(TermTable& terms, Term state, Term operand) {
  return terms.ite(isFree(terms, state, operand), written(terms), state);
}

constexpr SyncRule kRead{notWritten, addReader, "read-lock", "read-write lock"};
constexpr SyncRule kWrite{isFree, write, "write-lock", "read-write lock"};
constexpr SyncRule kTryRead{nullptr, tryRead, "try to read-lock", "read-write lock", true};
constexpr SyncRule kTryWrite{nullptr, tryWrite, "try to write-lock", "read-write lock", true};
constexpr SyncRule kReadUnlock{nullptr, removeReader, "read-unlock", "read-write lock"};
constexpr SyncRule kLook{nullptr, nullptr, "look whether anyone holds", "read-write lock"};
constexpr SyncRule kRelease{nullptr, release, "write-unlock", "read-write lock"};

void describe(Call& call, const Target& target, const SyncRule& rule) {
  ModelContext& e = call.context;
  if (!e.prologue) e.describe(call.thread, std::string(rule.verb) + " " + call.nameOf(target));
}

Task<> init(Call& call) {
  Target target;
  SyncObject* object = co_await call.syncStorage(0, false, target);
  if (!object) co_return;
  co_await call.apply(kRelease, *object);
  if (!co_await call.initialize(*object, target)) co_return;
  call.returns(0);
}

bool isForWriting(const std::string& name) {
  return name.find("wrlock") != std::string::npos || name.find("writer") != std::string::npos;
}

Task<> lock(Call& call) {
  Thread& t = call.thread;
  Target target;
  SyncObject* object = co_await call.syncArgument(0, "read-write lock", false, target);
  if (!object) co_return;
  const bool writing = isForWriting(call.name);
  const auto held = std::find_if(t.rwlocks.begin(), t.rwlocks.end(),
                                 [&](const HeldRwlock& h) { return h.lock == object && h.writing; });
  if (held != t.rwlocks.end()) {
    ++t.operations;
    call.returns(errno_value::kWouldDeadlock);
    co_return;
  }
  const SyncRule& rule = writing ? kWrite : kRead;
  co_await call.apply(rule, *object);
  describe(call, target, rule);
  t.rwlocks.push_back({object, writing});
  call.returns(0);
}

Task<> tryLock(Call& call) {
  ModelContext& e = call.context;
  Target target;
  SyncObject* object = co_await call.syncArgument(0, "read-write lock", false, target);
  if (!object) co_return;
  const bool timed = call.name.find("try") == std::string::npos;
  if (timed && !co_await checkDeadline(call)) co_return;
  const bool writing = isForWriting(call.name);
  const SyncRule& rule = writing ? kTryWrite : kTryRead;
  const Value old = co_await call.apply(rule, *object);
  describe(call, target, rule);
  Value got = binaryValue(e.terms, TermOp::Eq, old, {writing ? 0 : widthMask(kSyncBits)}, kSyncBits);
  if (!writing) got = binaryValue(e.terms, TermOp::Xor, got, {1}, 1);
  e.noteEffect(call.thread, got);
  if (got.bits & 1) {
    call.thread.rwlocks.push_back({object, writing});
    call.returns(resultCode(call.name, 0));
    co_return;
  }
  call.returns(resultCode(call.name, timed ? errno_value::kTimedOut : errno_value::kBusy));
}

Task<> unlock(Call& call) {
  Thread& t = call.thread;
  Target target;
  SyncObject* object = co_await call.syncArgument(0, "read-write lock", false, target);
  if (!object) co_return;
  const auto held = std::find_if(t.rwlocks.rbegin(), t.rwlocks.rend(),
                                 [&](const HeldRwlock& h) { return h.lock == object; });
  if (held == t.rwlocks.rend()) {
    ++t.operations;
    call.context.fail(t, FailureKind::Misuse,
                      "unlock of '" + call.nameOf(target) + "', which this thread does not hold");
    co_return;
  }
  const SyncRule& rule = held->writing ? kRelease : kReadUnlock;
  t.rwlocks.erase(std::next(held).base());
  co_await call.apply(rule, *object);
  describe(call, target, rule);
  call.returns(0);
}

Task<> destroy(Call& call) {
  Thread& t = call.thread;
  Target target;
  SyncObject* object = co_await call.syncArgument(0, "read-write lock", false, target);
  if (!object) co_return;
  ModelContext& e = call.context;
  const Value state = co_await call.apply(kLook, *object);
  describe(call, target, kLook);
  if (e.branch(t, notEqual(e.terms, state, {0}, kSyncBits), BranchRole::Check, 1)) {
    e.fail(t, FailureKind::Misuse, "destruction of '" + call.nameOf(target) + "' while it is locked");
    co_return;
  }
  if (!co_await call.setUsable(*object, Usable::Destroyed, "destroy " + call.nameOf(target))) co_return;
  call.returns(0);
}

constexpr ModelledCall kModels[] = {
    {"pthread_rwlock_init", nullptr, init},
    {"pthread_rwlock_destroy", nullptr, destroy},
    {"pthread_rwlock_rdlock", nullptr, lock},
    {"pthread_rwlock_wrlock", nullptr, lock},
    {"pthread_rwlock_tryrdlock", nullptr, tryLock},
    {"pthread_rwlock_trywrlock", nullptr, tryLock},
    {"pthread_rwlock_timedrdlock", nullptr, tryLock},
    {"pthread_rwlock_timedwrlock", nullptr, tryLock},
    {"pthread_rwlock_clockrdlock", nullptr, tryLock},
    {"pthread_rwlock_clockwrlock", nullptr, tryLock},
    {"pthread_rwlock_unlock", nullptr, unlock},
    {"uv_rwlock_init", nullptr, init},
    {"uv_rwlock_destroy", nullptr, destroy},
    {"uv_rwlock_rdlock", nullptr, lock},
    {"uv_rwlock_wrlock", nullptr, lock},
    {"uv_rwlock_tryrdlock", nullptr, tryLock},
    {"uv_rwlock_trywrlock", nullptr, tryLock},
    {"uv_rwlock_rdunlock", nullptr, unlock},
    {"uv_rwlock_wrunlock", nullptr, unlock},
    {"g_rw_lock_init", nullptr, init},
    {"g_rw_lock_clear", nullptr, destroy},
    {"g_rw_lock_reader_lock", nullptr, lock},
    {"g_rw_lock_writer_lock", nullptr, lock},
    {"g_rw_lock_reader_trylock", nullptr, tryLock},
    {"g_rw_lock_writer_trylock", nullptr, tryLock},
    {"g_rw_lock_reader_unlock", nullptr, unlock},
    {"g_rw_lock_writer_unlock", nullptr, unlock},
    {"pthread_rwlockattr_init", succeed, nullptr},
    {"pthread_rwlockattr_destroy", succeed, nullptr},
    {"pthread_rwlockattr_setpshared", succeed, nullptr},
    {"pthread_rwlockattr_setkind_np", succeed, nullptr},
};

}  // namespace
}  // namespace rwlock_calls

std::span<const ModelledCall> rwlockModels() {
  return rwlock_calls::kModels;
}

}  // namespace heddle
