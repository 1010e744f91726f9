// SyncTable: the synchronization objects of a run, each found by its address.
//
// Threading: as the run.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "analysis/interp/core/memory.h"
#include "analysis/interp/core/thread_state.h"
#include "analysis/model/locations.h"
#include "analysis/model/sync_rule.h"

namespace heddle {

class SyncTable {
 public:
  template <typename State>
  using ByAddress = std::map<std::pair<ObjectId, uint64_t>, State>;  // object and offset

  /// All must outlive it.
  SyncTable(const Program& program, Names& names, TermTable& terms, Memory& memory)
      : program_(program), names_(names), terms_(terms), memory_(memory) {}

  MutexState& mutex(const Target& target) { return mutexes_[{target.object->id, target.offset}]; }
  /// The thread goes back to when it had had so many events (Rounds::ownEvents): it has acquired no mutex
  /// since.
  void setBack(ThreadId owner, uint64_t events);
  /// The mutex of that cell; null: nobody has used it yet.
  const MutexState* find(const Cell& cell) const;
  /// The object at an address. Null: the address space is used up. `usable`: whether a new object can be
  /// used.
  SyncObject* object(const Target& target, bool usable = true);
  const ByAddress<MutexState>& mutexes() const { return mutexes_; }
  const ByAddress<SyncObject>& objects() const { return objects_; }
  /// A lock or other synchronization object lies there, or reaches there.
  bool isSynchronization(const MemoryObject& object, uint64_t offset) const;
  /// The rule can be executed on the object as it is now.
  bool guardHolds(const SyncRule& rule, const Value& operand, const SyncObject& object) const;
  /// The robust mutexes that the thread holds, in a fixed order.
  std::vector<Target> robustHeld(const Thread& t) const;
  /// Where the thread's result is kept. Null: the address space is used up.
  MemoryObject* threadResult(ThreadId id);
  /// Where the request to cancel a thread is kept. Null: the address space is used up.
  SyncObject* cancelRequest(ThreadId id);

 private:
  const Program& program_;
  Names& names_;
  TermTable& terms_;
  Memory& memory_;
  ByAddress<MutexState> mutexes_;
  ByAddress<SyncObject> objects_;
};

}  // namespace heddle
