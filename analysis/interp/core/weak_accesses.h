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

  // Called without a memory model, too.
  void noteOrders(const Thread& t, Event& event);
  /// Makes sure that an atomic access that orders others is an event.
  void noteOrdering(const Thread& t, const Target& target, uint64_t size, EventKind kind);
  void fence(Thread& t, const Instruction& in);
  /// A thread waits in a loop, and its last round has not read the latest writes. The same execution without
  /// that round shows all that may follow, so this one ends.
  bool isSuperseded() const;

  // Called only with a memory model.
  /// The pending event is an access without choices; `after`: as MemoryModel::access.
  void tellAccess(Thread& t, std::span<const Value> after);
  /// The pending event is being executed; it is no access.
  void tellModel(const Thread& t);
  // Accesses for which the model has choices, to the event's only cell.
  Value load(Thread& t, const Target& target, unsigned size);
  void store(Thread& t, const Target& target, unsigned size, const Value& given);
  Value update(Thread& t, const Target& target, unsigned size, unsigned width,
               const std::function<Value(const Value&)>& compute);

 private:
  /// Ends the run inside an atomic section: a section may be given up, and no model can undo its events.
  /// True: the run has ended.
  bool refusesSection(Thread& t);
  /// An index of the model's choices. `writes`: whether the access writes if it reads that value. Nothing:
  /// the run has ended.
  std::optional<size_t> chooseWrite(Thread& t, const Target& target, unsigned size,
                                    const std::function<bool(const Value&)>& writes);
  /// What the access that was asked for last takes, in words: "the initial value, not yet what T1 wrote at
  /// line 4". Empty: it is the latest. `reads`: the access is a mere read of it.
  std::string sourceText(size_t choice, bool reads = false) const;

  std::vector<WriteChoice> sources_;  // of the access that was asked for last
};

}  // namespace heddle
