// The heap. Allocation always succeeds here; addresses are never used twice.
#include "analysis/interp/execution.h"

namespace heddle {

namespace {

constexpr uint64_t kLargest = 1ull << 40;

/// A new heap object, or null after the run ended or when the size is absurd (then malloc returns null).
MemoryObject* allocate(Call& call, uint64_t size) {
  Execution& e = call.execution;
  if (size > kLargest) {
    e.assume(e.place(call.thread), "an allocation of more than 1 TiB fails");
    return nullptr;
  }
  MemoryObject* object = e.newObject(call.thread, ObjectKind::Heap, call.thread.pc, size);
  if (!object) e.unsupported(call.thread, "the address space is used up");
  return object;
}

void allocation(Call& call) {
  const bool aligned = call.name == "aligned_alloc" || call.name == "memalign";
  const uint64_t size = call.number(aligned ? 1 : 0);
  const MemoryObject* object = allocate(call, size);
  call.returns(object ? object->base : 0);
}

void clearedAllocation(Call& call) {
  const uint64_t count = call.number(0), size = call.number(1);
  if (size != 0 && count > kLargest / size) return call.returns(0);
  const MemoryObject* object = allocate(call, count * size);
  call.returns(object ? object->base : 0);
}

/// The heap object that may be freed at `address`; null after a failure.
MemoryObject* freeable(Call& call, uint64_t address) {
  Execution& e = call.execution;
  MemoryObject* object = e.memory.at(address);
  if (!object || object->kind != ObjectKind::Heap || object->base != address) {
    const std::string what = object ? "'" + e.program.describe(e.names.info(object->id).name) + "'"
                                    : std::string("an invalid address");
    e.fail(call.thread, FailureKind::Memory, "free of " + what + ", which is not the start of a heap object");
    return nullptr;
  }
  if (object->freed) {
    e.fail(call.thread, FailureKind::Memory,
           "double free of " + e.program.describe(e.names.info(object->id).name) + ", freed at " +
               e.program.shortPlace(object->endedAt));
    return nullptr;
  }
  return object;
}

void end(Call& call, MemoryObject& object) {
  object.freed = true;
  object.live = 0;
  object.endedAt = call.execution.place(call.thread);
  object.fastRead = object.fastWrite = kNone;
}

Task<> release(Call& call) {
  const uint64_t address = call.number(0);
  if (address == 0) co_return;
  if (MemoryObject* object = freeable(call, address)) end(call, *object);
}

Task<> reallocation(Call& call) {
  Execution& e = call.execution;
  const uint64_t address = call.number(0), size = call.number(1);
  MemoryObject* old = nullptr;
  if (address != 0 && !(old = freeable(call, address))) co_return;
  MemoryObject* object = allocate(call, size);
  if (!object) co_return call.returns(0);
  if (old && old->size > 0 && size > 0) {
    if (!e.memory.touch(*old) || !e.memory.touch(*object)) {
      e.unsupported(call.thread, "no memory for a heap object");
      co_return;
    }
    auto chunks = co_await call.readBlock({old, 0}, std::min(old->size, size));
    if (!chunks) co_return;
    co_await call.writeBlock({object, 0}, std::move(*chunks));
  }
  if (old) end(call, *old);
  call.returns(object->base);
}

Task<> alignedAllocation(Call& call) {
  const uint64_t size = call.number(2);
  const MemoryObject* object = allocate(call, size);
  if (!object) co_return call.returns(12);  // ENOMEM
  Target to;
  const unsigned pointer = call.pointerBits() / 8;
  if (!call.resolve(call.argument(0), pointer, true, to)) co_return;
  co_await call.store(to, pointer, {object->base});
  call.returns(0);
}

constexpr ModelledCall kModels[] = {
    {"malloc", allocation, nullptr},
    {"aligned_alloc", allocation, nullptr},
    {"memalign", allocation, nullptr},
    {"valloc", allocation, nullptr},
    {"calloc", clearedAllocation, nullptr},
    {"realloc", nullptr, reallocation},
    {"free", nullptr, release},
    {"posix_memalign", nullptr, alignedAllocation},
};

}  // namespace

std::span<const ModelledCall> heapModels() {
  return kModels;
}

}  // namespace heddle
