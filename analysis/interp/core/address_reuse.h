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
  std::vector<MemoryObject*> freed;  // heap objects whose address no later object has got

  /// The program compares two values for equality. Notes where the answer depends on the reuse of an address.
  void noteCompared(Thread& t, const Value& a, const Value& b);
  /// The freed object whose address the new object gets; null: it gets an address of its own.
  MemoryObject* reusedFor(Thread& t, const MemoryObject& object);

 private:
  void noteTwoBlocks(Thread& t, const MemoryObject& earlier, const MemoryObject& later);
};

}  // namespace heddle
