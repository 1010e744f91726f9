// Named semaphores. One lives in a library object that its name identifies; the first sem_open that may
// create it gives it its value. Nothing but a missing name makes sem_open fail, and no other process uses the
// names.
#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"

namespace heddle {

namespace named_semaphore_calls {
namespace {

constexpr uint64_t kCreate = 0100, kExclusive = 0200;  // O_CREAT, O_EXCL
constexpr uint32_t kFirstSite = 0x60000000;

Term become(TermTable&, Term, Term operand) {
  return operand;
}
Term openIfAllowed(TermTable& terms, Term state, Term operand) {
  return terms.binary(TermOp::Or, state, operand);
}

// The cell that says whether the name is in use.
constexpr SyncRule kOpen{nullptr, openIfAllowed, "open", "semaphore name"};
constexpr SyncRule kUnlink{nullptr, become, "unlink", "semaphore name"};
constexpr SyncRule kInit{nullptr, become, "init", "semaphore"};

/// The semaphore of that name at byte 0, and at byte 4 whether the name is in use.
Task<MemoryObject*> named(Call& call) {
  const auto name = co_await call.readText(call.argument(0), 256);
  if (!name) co_return nullptr;
  uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : *name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  const ObjectName identity{ObjectKind::Library, kNone, kFirstSite + hash % 0x10000000u, 0, 32};
  MemoryObject* object = call.context.memory.create(identity);
  if (object && call.context.memory.touch(*object)) co_return object;
  call.context.unsupported(call.thread, "the address space is used up");
  co_return nullptr;
}

Task<> open(Call& call) {
  ModelContext& e = call.context;
  const uint64_t flags = call.number(1);
  MemoryObject* object = co_await named(call);
  if (!object) co_return;
  SyncObject* inUse = e.syncObject({object, 4});
  SyncObject* semaphore = e.syncObject({object, 0});
  if (!inUse || !semaphore) {
    e.unsupported(call.thread, "the address space is used up");
    co_return;
  }
  e.assume(e.place(call.thread), "no other process uses the names of semaphores");
  // One step, so that nobody uses the semaphore before it has its value.
  const bool creates = (flags & kCreate) != 0;
  e.beginSection(call.thread);
  const Value operand{creates ? 1u : 0u};
  const Value old = co_await call.apply(kOpen, *inUse, operand);
  const bool isNew = !e.branch(call.thread, notEqual(e.terms, old, {0}, kSyncBits), BranchRole::Branch, -1);
  if (isNew && creates) {
    const Value initial = call.argument(3);
    co_await call.apply(kInit, *semaphore, initial);
  }
  e.endSection(call.thread);
  const bool isTaken = !isNew && creates && (flags & kExclusive) != 0;
  if (isTaken || (isNew && !creates)) {
    call.setErrno(isTaken ? errno_value::kExists : errno_value::kNoEntry);
    call.returns(0);  // SEM_FAILED
    co_return;
  }
  call.returns(object->base);
}

Task<> unlink(Call& call) {
  MemoryObject* object = co_await named(call);
  if (!object) co_return;
  SyncObject* inUse = call.context.syncObject({object, 4});
  if (!inUse) {
    call.context.unsupported(call.thread, "the address space is used up");
    co_return;
  }
  // Whoever has it open keeps it; the next sem_open gives the same one a new value.
  const Value free{0};
  co_await call.apply(kUnlink, *inUse, free);
  call.returns(0);
}

void close(Call& call) {
  call.returns(0);
}

constexpr ModelledCall kModels[] = {
    {"sem_open", nullptr, open},
    {"sem_unlink", nullptr, unlink},
    {"sem_close", close, nullptr},
};

}  // namespace
}  // namespace named_semaphore_calls

std::span<const ModelledCall> namedSemaphoreModels() {
  return named_semaphore_calls::kModels;
}

}  // namespace heddle
