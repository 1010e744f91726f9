// Accesses: addresses to objects, which accesses are events, and the accesses themselves.
//
// Threading: as the run.
#pragma once

#include "analysis/interp/core/execution_part.h"
#include "analysis/model/sync_rule.h"

namespace heddle {

class Accesses : public ExecutionPart {
 public:
  explicit Accesses(Execution& run) : ExecutionPart(run) {}

  /// False: the thread failed or the run ended; the caller must return at once.
  bool resolve(Thread& t, const Value& address, const Value& root, uint64_t size, bool write, Target& out);
  /// Whether an access of the thread is a visible event. May end the run.
  bool visible(Thread& t, const Target& target, uint64_t size, bool write);
  /// Lets later accesses of the thread go straight to the bytes, if the object needs no checks
  /// (MemoryObject::fastRead).
  void allowFast(Thread& t, MemoryObject& object, bool write);
  /// Lets the thread wait before an access event. False: the run ended.
  bool wait(Thread& t, EventKind kind, const Target& target, uint64_t size, uint64_t operations, bool atomic);
  /// Gives the event the cell that stands for the synchronization object at `target`.
  void identify(const Target& target, Event& event);

  // The access itself, as an event (`t.next.event` is executed) or not.
  Value load(Thread& t, const Target& target, unsigned size, bool asEvent);
  void store(Thread& t, const Target& target, unsigned size, Value value, bool asEvent);
  /// Updates the bytes at once: `compute` maps the old value to the new one. Returns the old value.
  Value update(Thread& t, const Target& target, unsigned size, unsigned width, bool asEvent,
               const std::function<Value(const Value&)>& compute);
  /// Executes the rule of the pending event, or `rule` at once if `asEvent` is false. Returns the old state.
  Value applyRule(Thread& t, const SyncRule& rule, const Value& operand, SyncObject& object, bool asEvent);

  /// A generated harness has made it up without knowing where it ends, or nothing is there.
  bool isMadeUp(const MemoryObject* object, uint64_t address) const;
  /// Callers are assumed to pass what fits, and the memory at `address` stands for theirs; null: any memory.
  bool callersFit(const MemoryObject* object, uint64_t address) const;
  /// Ends the execution under this assumption.
  void assumeFit(Thread& t);

  /// Tells the sink the initial value of each of the event's cells, once per cell.
  void reportInitial(const Event& event);
  /// The value that the event's cells make up.
  Value joinCells(const Event& event, const std::vector<Value>& values);

 private:
  MemoryObject* nearest(uint64_t address);
  /// So far in front of what a generated harness passes that no caller can be meant to have something there.
  bool isFarBack(Thread& t, const MemoryObject* object, const Value& address);
  void failAddress(Thread& t, const MemoryObject* object, const Value& address, uint64_t size, bool write);
  std::vector<Value> cellValues(Thread& t, const Event& event);
  std::vector<Value> splitCells(const Event& event, const Target& target, unsigned size, const Value& value);

  std::vector<bool> initialReported_;  // by location
};

}  // namespace heddle
