// The heap. Allocation always succeeds here; an address is used twice only where that can be told
// (address_reuse.cpp).
#include <algorithm>

#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"
#include "analysis/model/failure_text.h"
#include "analysis/support/harness_names.h"

namespace heddle {

namespace heap_calls {
namespace {

constexpr uint64_t kLargest = 1ull << 40;

/// The freed object is another one from now on. False: return at once.
Task<bool> revive(Call& call, MemoryObject& object) {
  ModelContext& e = call.context;
  if (!e.memory.touch(object)) {
    e.unsupported(call.thread, "no memory for an allocation");
    co_return false;
  }
  if (!e.locations.isShared(object.id)) e.memory.clear(object);
  AccessAwaiter tell = call.store({object.life, 0}, 1, {1});
  tell.atomic = true;
  co_await tell;
  if (e.ended) co_return false;
  if (tell.asEvent) e.describe(call.thread, "allocate " + call.nameOf({&object, 0}) + " again");
  co_return true;
}

/// A new heap object, or null after the run ended or when the size is absurd (then malloc returns null).
Task<MemoryObject*> allocate(Call& call, uint64_t size, bool cleared = false) {
  ModelContext& e = call.context;
  // What a harness takes for granted is there.
  const bool isMadeUp = e.program.place(e.place(call.thread)).function.starts_with(kObjectMakerPrefix);
  const bool mayFail = e.program.environment.mallocMayFail && !isMadeUp;
  if (mayFail && call.outcome("allocation fails")) {
    e.result.inputs.back().isRefused = true;
    call.setErrno(errno_value::kNoMemory);
    co_return nullptr;
  }
  if (size > kLargest) {
    e.assume(e.place(call.thread), "an allocation of more than 1 TiB fails");
    co_return nullptr;
  }
  const uint32_t site = call.thread.pc, ordinal = call.thread.sites[site];
  const size_t known = e.names.objectCount();
  MemoryObject* object = e.newObject(call.thread, ObjectKind::Heap, site, size);
  if (e.program.environment.checkLeaks && e.names.objectCount() != known)
    e.locations.noteNewHeapObject(call.thread.id);
  MemoryObject* life =
      e.memory.create(e.program.lifeOf({ObjectKind::Heap, call.thread.id, site, ordinal, size}));
  if (!object || !life || !e.memory.touch(*life)) {
    e.unsupported(call.thread, "the address space is used up");
    co_return nullptr;
  }
  e.memory.write(*life, 0, 1, {1});
  object->life = life;
  object->operations = 2;
  MemoryObject* earlier = e.reusedFor(call.thread, *object);
  if (e.ended) co_return nullptr;
  if (earlier) {
    object = earlier;
    const bool revived = co_await revive(call, *object);
    if (!revived) co_return nullptr;
  }
  object->allocatedAt = e.nextHeapTime();
  object->freedAt = 0;
  object->isMadeUp = isMadeUp;
  object->isSizeAssumed = object->isEndUnknown = false;
  if (!cleared && (!earlier || !e.locations.isShared(object->id))) e.memory.makeUndefined(*object);
  if (cleared && earlier) {
    Target to{object, 0};
    Call::Chunks zeros;
    for (uint64_t at = 0; at < size; at += 8)
      zeros.emplace_back(static_cast<unsigned>(std::min<uint64_t>(8, size - at)), Value{});
    const bool isCleared = co_await call.writeBlock(to, std::move(zeros));
    if (!isCleared) co_return nullptr;
  }
  if (!co_await tellAllocated(call, *object, true)) co_return nullptr;
  co_return object;
}

Task<> allocation(Call& call) {
  const bool aligned = call.name == "aligned_alloc" || call.name == "memalign";
  const Value size = call.argument(aligned ? 1 : 0);
  if (!call.context.chooseSize(call.thread, size, 1)) co_return;
  const MemoryObject* object = co_await allocate(call, size.bits);
  call.returns(object ? object->base : 0);
}

Task<> clearedAllocation(Call& call) {
  const Value count = call.argument(0), size = call.argument(1);
  if (!call.context.chooseSize(call.thread, size, 1) ||
      !call.context.chooseSize(call.thread, count, size.bits))
    co_return;
  if (size.bits != 0 && count.bits > kLargest / size.bits) co_return call.returns(0);
  const MemoryObject* object = co_await allocate(call, count.bits * size.bits, true);
  call.returns(object ? object->base : 0);
}

/// The heap object that may be freed at `address`; null after a failure.
MemoryObject* freeable(Call& call, uint64_t address) {
  ModelContext& e = call.context;
  MemoryObject* object = e.memory.at(address);
  if (!object || object->kind != ObjectKind::Heap || object->base != address) {
    const std::string what =
        object ? "'" + e.program.describeAt(e.place(call.thread), e.names.info(object->id).name) + "'"
               : std::string("an invalid address");
    e.fail(call.thread, FailureKind::Memory,
           std::string(kFreeText) + what + ", which is not the start of a heap object");
    return nullptr;
  }
  return object;
}

Task<bool> end(Call& call, MemoryObject& object) {
  ModelContext& e = call.context;
  const char* what = call.name == "munmap" ? "munmap of" : "free of";
  if (e.endsWhileLocked(call.thread, object, what, true)) co_return false;
  const Target life{object.life, 0};
  const bool shared = e.visible(call.thread, life, 1, true);
  if (e.ended) co_return false;
  if (shared)
    co_await PendingAwaiter{call.execution, call.thread, EventKind::Update, life, 1};
  else
    ++call.thread.operations;
  if (!e.endLife(call.thread, object, shared)) co_return false;
  if (e.endsWhileLocked(call.thread, object, what, false)) co_return false;
  object.freedAt = e.nextHeapTime();
  object.freedBy = call.thread.id;
  e.noteFreed(object);
  call.thread.freed.push_back(&object);
  if (!co_await tellAllocated(call, object, false)) co_return false;
  // Accesses are failures from now on. Of shared objects somebody may still ask what they held at first.
  if (!shared && !e.locations.isShared(object.id)) e.memory.release(object);
  co_return true;
}

Task<> release(Call& call) {
  const uint64_t address = call.number(0);
  if (address == 0) co_return;
  if (MemoryObject* object = freeable(call, address)) co_await end(call, *object);
}

/// Nothing was ever written to the object.
bool isUndefined(const MemoryObject& object) {
  if (object.pieces.size() != 1) return false;
  const auto& [at, piece] = *object.pieces.begin();
  return piece.term == kUndefined && piece.filler.function == kNone && at == 0 && piece.size == object.size;
}

Task<> reallocation(Call& call) {
  ModelContext& e = call.context;
  const Value wanted = call.argument(1);
  uint64_t size = wanted.bits, each = 1;
  if (call.name == "reallocarray") each = call.number(2);
  if (!e.chooseSize(call.thread, wanted, each)) co_return;
  if (call.name == "reallocarray") {
    if (each != 0 && size > kLargest / each) co_return call.returns(0);
    size *= each;
  }
  const uint64_t address = call.number(0);
  MemoryObject* old = nullptr;
  if (address != 0 && !(old = freeable(call, address))) co_return;
  if (old && size == 0) {  // as glibc: frees
    if (co_await end(call, *old)) call.returns(0);
    co_return;
  }
  MemoryObject* object = co_await allocate(call, size);
  if (!object) co_return call.returns(0);
  const uint64_t kept = old ? std::min(old->size, size) : 0;
  if (kept > 0) {
    Target from, to;
    if (!co_await call.resolve({old->base}, kept, false, from)) co_return;
    const bool reads = e.visible(call.thread, from, kept, false);
    if (e.ended) co_return;
    if (!reads && isUndefined(*old)) {
      call.thread.operations += 2 * kept;  // as reading and writing it
    } else {
      auto chunks = co_await call.readBlock(from, kept);
      if (!chunks || !co_await call.resolve({object->base}, kept, true, to)) co_return;
      co_await call.writeBlock(to, std::move(*chunks));
    }
  }
  if (old && !co_await end(call, *old)) co_return;
  call.returns(object->base);
}

Task<> alignedAllocation(Call& call) {
  const uint64_t size = call.number(2);
  const MemoryObject* object = co_await allocate(call, size);
  if (!object) co_return call.returns(errno_value::kNoMemory);
  Target to;
  const unsigned pointer = call.pointerBits() / 8;
  if (!co_await call.resolve(call.argument(0), pointer, true, to)) co_return;
  co_await call.store(to, pointer, {object->base});
  call.returns(0);
}

Task<> duplicate(Call& call) {
  const uint64_t limit = call.name == "strndup" ? call.number(1) : ~0ull;
  auto text = co_await call.readString(call.argument(0), limit);
  if (!text) co_return;
  text->push_back({0});
  const MemoryObject* object = co_await allocate(call, text->size());
  if (!object) co_return call.returns(0);
  if (co_await call.writeBytes({object->base}, std::move(*text))) call.returns(object->base);
}

void usableSize(Call& call) {
  if (call.number(0) == 0) return call.returns(0);
  if (const MemoryObject* object = freeable(call, call.number(0))) call.returns(object->size);
}

constexpr ModelledCall kModels[] = {
    {"malloc", nullptr, allocation},
    {"aligned_alloc", nullptr, allocation},
    {"memalign", nullptr, allocation},
    {"valloc", nullptr, allocation},
    {"calloc", nullptr, clearedAllocation},
    {"realloc", nullptr, reallocation},
    {"free", nullptr, release},
    {"posix_memalign", nullptr, alignedAllocation},
    {"strdup", nullptr, duplicate},
    {"__strdup", nullptr, duplicate},
    {"strndup", nullptr, duplicate},
    {"pvalloc", nullptr, allocation},
    {"cfree", nullptr, release},
    {"reallocarray", nullptr, reallocation},
    {"malloc_usable_size", usableSize, nullptr},
};

}  // namespace
}  // namespace heap_calls

Task<MemoryObject*> allocateHeap(Call& call, uint64_t size, bool cleared) {
  return heap_calls::allocate(call, size, cleared);
}

Task<bool> freeHeap(Call& call, uint64_t address) {
  MemoryObject* object = heap_calls::freeable(call, address);
  if (!object) co_return false;
  co_return co_await heap_calls::end(call, *object);
}

std::span<const ModelledCall> heapModels() {
  return heap_calls::kModels;
}

}  // namespace heddle
