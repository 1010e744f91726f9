// MemoryModel: what a machine asks where memory is not sequentially consistent: which writes may this load
// read, where among the writes to its memory may this store come.
//
// The machine keeps in memory what the latest write left, "latest" in the order of the writes to one location
// (modification order in C11, coherence order elsewhere), which need not be the order of steps. An access for
// which `isOpen` holds is asked for its choices. The model is told of all other accesses, of fences and of
// synchronization, in the order of the steps, before the thread goes on.
//
// A machine without a model is sequentially consistent. A model serves one run, on the machine's thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "analysis/interp/core/scheduler.h"
#include "analysis/model/event.h"
#include "analysis/model/term.h"

namespace heddle {

class MemoryModel {
 public:
  virtual ~MemoryModel() = default;

  /// An event that is no access to memory was executed. `acquired`: a LockBusy event got the mutex.
  virtual void synchronize(const Event& event, bool acquired) = 0;
  virtual void fence(ThreadId thread, MemoryOrder order) = 0;
  /// An input gave this value, which is part of what the thread has seen. A value with a term stands for any
  /// value.
  virtual void input(ThreadId thread, const Value& given) = 0;
  /// An access that always reads the latest write, or is the latest, is being executed. `before` and `after`:
  /// what its cells hold; `after` is empty if it only reads.
  virtual void access(const Event& event, std::span<const Value> before, std::span<const Value> after) = 0;

  /// Whether the access has choices.
  virtual bool isOpen(const Event& event) const = 0;
  /// The writes that the open access, of one cell, may read from or come right after as far as coherence
  /// tells, the latest first; never empty. `memory`: what memory holds.
  virtual std::span<const WriteChoice> choices(const Event& event, const Value& memory) = 0;
  // Of the access that was asked for last, with an index of these choices:
  virtual Value valueOf(size_t choice) const = 0;
  /// The latest write is still in the store buffer of its thread, where the model has such buffers: nothing
  /// that empties the buffer has come behind it, and no other thread has read it.
  virtual bool isLatestBuffered() const = 0;
  /// Whether the access may make this choice. `writes`: the access writes.
  virtual bool allows(size_t choice, bool writes) = 0;
  /// The access makes this choice. `written`: null if it only reads. True: what it has written is the latest.
  virtual bool take(size_t choice, const Value* written) = 0;
};

}  // namespace heddle
