// AddressReuse: addresses that come back after free (address_reuse.cpp).
//
// Threading: as the run.
#pragma once

#include "analysis/interp/core/execution_part.h"

namespace heddle {

class AddressReuse : public ExecutionPart {
 public:
  explicit AddressReuse(Execution& run) : ExecutionPart(run) {}

  uint64_t time = 0;                 // allocations and frees so far
  std::vector<MemoryObject*> freed;  // of the heap, and nothing lies there since

  /// The program asks whether these are equal: addresses, of which one may have come back, or may come back.
  void noteCompared(Thread& t, const Value& a, const Value& b);
  /// The freed object in which a new one comes to lie, if so; null: in none.
  MemoryObject* reusedFor(Thread& t, const MemoryObject& object);

 private:
  void noteTwoBlocks(Thread& t, const MemoryObject& earlier, const MemoryObject& later);
};

}  // namespace heddle
