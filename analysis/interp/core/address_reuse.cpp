// Addresses that come back after free.
//
// Names of objects follow from their thread's path, so addresses are never used twice of themselves. It makes
// a difference only where a program compares addresses: a compare-exchange that takes a block for another one
// that lay there before (ABA), or a comparison with a pointer that was kept too long. So it is knowledge,
// like sharing, which blocks' addresses are compared with what another block's may be: with a value that
// depends on the schedule, or with a block that was allocated later. Where a thread has freed such a block
// and allocates one of its size, the exploration starts again, and the new block may lie, as an input says,
// where the freed one was. Then it *is* that object again, alive and with content that was never written; so
// pointers that were kept lead to it, as they would on a real machine.
//
// Blocks that another thread freed come back only where an allocator hands them across threads; that they do
// not is an assumption, named where it can make a difference.
#include "analysis/interp/core/address_reuse.h"

#include "analysis/interp/core/execution.h"

namespace heddle {

namespace {

constexpr uint64_t kFirstInput = 1'000'000'000;  // InputRequest::memoryOperation of the first choice
constexpr uint64_t kMostCandidates = 16;         // of one allocation, the last ones freed

/// Allocators give memory in classes of some 16 bytes.
bool isAlike(const MemoryObject& a, const MemoryObject& b) {
  return (a.size + 15) / 16 == (b.size + 15) / 16;
}

}  // namespace

void AddressReuse::noteCompared(Thread& t, const Value& a, const Value& b) {
  // With a value that is the same in every execution there is nothing to mistake.
  const bool isOpen =
      (a.term != kNoTerm || a.bits >= kFirstAddress) && (b.term != kNoTerm || b.bits >= kFirstAddress);
  if (!isOpen || (freed.empty() && a.term == kNoTerm && b.term == kNoTerm)) return;
  MemoryObject* x = a.bits < kFirstAddress ? nullptr : memory_.at(a.bits);
  MemoryObject* y = b.bits < kFirstAddress ? nullptr : memory_.at(b.bits);
  if (x && x->kind != ObjectKind::Heap) x = nullptr;
  if (y && y->kind != ObjectKind::Heap) y = nullptr;
  if (a.term != kNoTerm || b.term != kNoTerm)
    for (const MemoryObject* object : {x, y})
      if (object && locations_.noteCompared(object->id, object->freedAt != 0 && !run_.sink().isReplay()))
        run_.noteKnowledge();
  if (!x || !y || x == y || a.bits - x->base != b.bits - y->base) return;
  if (x->allocatedAt > y->allocatedAt) std::swap(x, y);
  noteTwoBlocks(t, *x, *y);
}

void AddressReuse::noteTwoBlocks(Thread& t, const MemoryObject& earlier, const MemoryObject& later) {
  if (earlier.freedAt == 0 || earlier.freedAt > later.allocatedAt || !isAlike(earlier, later)) return;
  if (earlier.freedBy != names_.info(later.id).name.owner)
    return run_.assume(run_.place(t), "memory that one thread has freed is not given to another one");
  if (earlier.size != later.size)
    return run_.assume(run_.place(t), "memory that was freed is not given again in another size");
  if (run_.sink().isReplay()) return;
  if (!locations_.noteReuse(later.id, earlier.id))
    return run_.assume(run_.place(t), "no more than 16 freed addresses come back");
  run_.noteKnowledge();
}

MemoryObject* AddressReuse::reusedFor(Thread& t, const MemoryObject& object) {
  const uint64_t first = kFirstInput + kMostCandidates * ++t.allocations;
  for (const MemoryObject* earlier : freed)
    if (locations_.isCompared(earlier->id)) {
      MemoryObject made = object;
      made.allocatedAt = time + 1;
      noteTwoBlocks(t, *earlier, made);
    }
  if (run_.isLearning()) return nullptr;
  for (uint64_t i = 0; i < t.freed.size() && i < kMostCandidates; ++i) {
    const size_t at = t.freed.size() - 1 - i;
    MemoryObject* earlier = t.freed[at];
    if (earlier->size != object.size ||
        (!run_.sink().isReplay() && !locations_.mayReuse(object.id, earlier->id)))
      continue;
    const std::string name = program_.describe(names_.info(earlier->id).name);
    const Value comesBack = run_.inputs.happens(t, first + i, "the new block lies where " + name + " was");
    if (!run_.branch(t, comesBack, BranchRole::Branch, -1)) continue;
    t.freed.erase(t.freed.begin() + static_cast<std::ptrdiff_t>(at));
    std::erase(freed, earlier);
    return earlier;
  }
  return nullptr;
}

}  // namespace heddle
