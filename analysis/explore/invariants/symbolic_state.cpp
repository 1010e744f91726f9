#include "analysis/explore/invariants/symbolic_state.h"

#include <algorithm>

namespace heddle {

std::optional<ThreadId> SymbolicState::holder(uint64_t mutex) const {
  for (ThreadId thread = 0; thread < threads.size(); ++thread)
    if (std::binary_search(threads[thread].held.begin(), threads[thread].held.end(), mutex)) return thread;
  return std::nullopt;
}

std::vector<ThreadId> SymbolicState::arrived(uint64_t barrier) const {
  std::vector<ThreadId> found;
  for (ThreadId thread = 0; thread < threads.size(); ++thread)
    if (threads[thread].at == StandsAt::Barrier && threads[thread].waitsAt == barrier)
      found.push_back(thread);
  return found;
}

void SymbolicThread::addTo(StateKey& key) const {
  key.add(static_cast<uint64_t>(at) << 32 | parent);
  key.add(uint64_t{waitsFor} << 1 | (wasJoined ? 1 : 0));
  key.add(waitsAt);
  key.add(retakes);
  key.add(uint64_t{joined} << 32 | children);
  key.add(held.size());
  for (const uint64_t mutex : held) key.add(mutex);
  for (const SymbolicFrame& frame : frames) {
    key.add(uint64_t{frame.function} << 32 | frame.pc);
    for (size_t slot = 0; slot < frame.slots.size(); ++slot)
      if (frame.slots[slot] != kNoTerm) key.add(slot);
  }
  key.add(result != kNoTerm ? 1 : 0);
}

StateKey SymbolicState::key() const {
  StateKey key;
  key.add(isProcessOver);
  for (const SymbolicThread& thread : threads) thread.addTo(key);
  for (const auto& [address, count] : barriers) {
    key.add(address);
    key.add(count);
  }
  for (const auto& [address, cell] : cells) {
    key.add(address);
    key.add(cell.bytes);
  }
  for (const auto& [object, size] : sizes) key.add(object);
  return key;
}

std::vector<Term*> SymbolicState::entries() {
  std::vector<Term*> all;
  for (SymbolicThread& thread : threads) {
    for (SymbolicFrame& frame : thread.frames)
      for (Term& slot : frame.slots)
        if (slot != kNoTerm) all.push_back(&slot);
    if (thread.result != kNoTerm) all.push_back(&thread.result);
  }
  for (auto& [address, cell] : cells) all.push_back(&cell.value);
  for (auto& [object, size] : sizes) all.push_back(&size);
  return all;
}

}  // namespace heddle
