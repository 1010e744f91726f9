// WeakAccesses: what a memory model is asked and told (memory_model.h).
//
// Threading: as the run.
#pragma once

#include "analysis/interp/core/execution_part.h"
#include "analysis/interp/core/memory_model.h"

namespace heddle {

class WeakAccesses : public ExecutionPart {
 public:
  explicit WeakAccesses(Execution& run) : ExecutionPart(run) {}

  // Without a memory model, too.
  void noteOrders(const Thread& t, Event& event);
  /// Sees to it that an atomic access that puts others in order is an event.
  void noteOrdering(const Thread& t, const Target& target, uint64_t size, EventKind kind);
  void fence(Thread& t, const Instruction& in);
  /// A thread waits in a loop, and its last round has not read what is latest. The same execution without
  /// that round shows all that may follow, so this one ends.
  bool isSuperseded() const;

  // With one only.
  /// The pending event is an access without choices; `after`: as MemoryModel::access.
  void tellAccess(Thread& t, std::span<const Value> after);
  /// The pending event is being executed; it is no access.
  void tellModel(const Thread& t);
  // The accesses that it has choices for; of the event's only cell.
  Value load(Thread& t, const Target& target, unsigned size);
  void store(Thread& t, const Target& target, unsigned size, const Value& given);
  Value update(Thread& t, const Target& target, unsigned size, unsigned width,
               const std::function<Value(const Value&)>& compute);

 private:
  /// A section may be given up, and no model takes anything back. True: the run has ended.
  bool refusesSection(Thread& t);
  /// An index of the model's choices. `writes`: whether the access writes if it reads that value. Nothing:
  /// the run has ended.
  std::optional<size_t> chooseWrite(Thread& t, const Target& target, unsigned size,
                                    const std::function<bool(const Value&)>& writes);
  /// Of the access that was asked for last: "the initial value, not yet what T1 wrote at line 4".
  /// Empty: it is the latest.
  /// `reads`: and the choice is what a mere read takes.
  std::string sourceText(size_t choice, bool reads = false) const;

  std::vector<WriteChoice> sources_;  // of the access that was asked for last
};

}  // namespace heddle
