// ModelContext: what the model of a library call may do with the run. Models know nothing else of it.
//
// Each member does what its namesake does in the part of the run that it belongs to (execution.h).
//
// Threading: as the run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/interp/core/event_sink.h"
#include "analysis/interp/core/machine.h"
#include "analysis/interp/core/memory.h"
#include "analysis/interp/core/process.h"
#include "analysis/interp/core/spurious_events.h"
#include "analysis/interp/core/thread_state.h"

namespace heddle {

class Execution;

class ModelContext {
 public:
  explicit ModelContext(Execution& run);
  ModelContext(const ModelContext&) = delete;
  ModelContext& operator=(const ModelContext&) = delete;

  const Program& program;
  Names& names;
  TermTable& terms;
  Locations& locations;
  Memory& memory;
  const MachineOptions& options;
  RunResult& result;
  Process& process;
  const bool& ended;     // the run is over
  const bool& prologue;  // nothing is an event yet

  // Threads (Execution).
  PlaceId place(const Thread& t) const;
  Thread* thread(ThreadId id);
  size_t threadCount() const;
  Thread& addThread(ThreadId id, FunctionId function, const Value& argument, PlaceId createdAt = kNone);
  bool isAlone(const Thread& t) const;
  void stop(Thread& t);
  void finish(Thread& t);
  bool noteReachedEnd(Thread& t);
  bool leaveProcess(Thread& t);
  void exitProcess(Thread& t);
  void endPrologue();
  EventSink& sink();

  // Failures, and where paths fork (Execution).
  void fail(Thread& t, FailureKind kind, std::string message, PlaceId at = kNone);
  void failHere(Thread& t, FailureKind kind, std::string message);
  void unsupported(Thread& t, std::string what);
  void bound(Thread& t, const Bound& hit);
  void assume(PlaceId at, const std::string& text);
  /// A generated harness has made up the memory at `address`, so that what is in it may be anything.
  bool isMadeUp(const MemoryObject* object, uint64_t address) const;
  /// Ends the execution under this assumption.
  void assumeFit(Thread& t);
  void takeFromThisExecution(PlaceId at, const std::string& what);
  void noteUnknownCall(Thread& t, const std::string& name);
  void print(std::string_view text);
  bool branch(Thread& t, const Value& condition, BranchRole role, int errorSide);
  void choose(Thread& t, const Value& value);
  bool chooseSize(Thread& t, const Value& count, uint64_t each);

  // Values (UndefinedValues, Inputs).
  Value settled(Thread& t, const Value& value);
  Value used(Thread& t, const Value& value, const char* how = "");
  Value input(Thread& t, unsigned width, bool isSigned, const std::string& name, bool exactName = false);
  Value inputAsResult(Thread& t, unsigned width, bool isSigned, const std::string& name);
  Value happens(Thread& t, uint64_t operation, std::string what);

  // Objects and their lives (Execution, Accesses, LocalStates, Lives, AddressReuse, Calls).
  MemoryObject* newObject(Thread& t, ObjectKind kind, uint32_t site, uint64_t size);
  bool visible(Thread& t, const Target& target, uint64_t size, bool write);
  Value load(Thread& t, const Target& target, unsigned size, bool asEvent);
  void noteWritten(Thread& t, MemoryObject& object);
  bool endsWhileLocked(Thread& t, const MemoryObject& object, const char* what, bool byItself);
  MemoryObject* endStackLives(Thread& t, size_t first, bool threadLocals);
  void endStackLife(Thread& t, MemoryObject& object);
  bool endLife(Thread& t, MemoryObject& object, bool asEvent);
  MemoryObject* reusedFor(Thread& t, const MemoryObject& object);
  /// The time of an allocation or free that happens now (MemoryObject::allocatedAt).
  uint64_t nextHeapTime();
  /// The object was freed: a later object may get its address.
  void noteFreed(MemoryObject& object);
  /// The thread's innermost frame has one more object, of `size` bytes.
  void noteStackObject(uint64_t size);
  void unwind(Thread& t, size_t frames);

  // Synchronization (SyncTable, Sections, WaitingLoops, SpuriousEvents).
  MutexState& mutex(const Target& target);
  SyncObject* syncObject(const Target& target, bool usable = true);
  bool isSynchronization(const MemoryObject& object, uint64_t offset) const;
  MemoryObject* threadResult(ThreadId id);
  SyncObject* cancelRequest(ThreadId id);
  std::vector<Target> robustHeld(const Thread& t) const;
  bool isWaitedFor(const SyncObject& object);
  void beginSection(Thread& t);
  void endSection(Thread& t);
  void hasEffect(Thread& t);
  void noteEffect(Thread& t, const Value& condition);
  LookAhead lookAhead(Thread& t, std::span<const Value> results);
  bool isCounted(const Thread& t, const LookAhead& ahead) const;
  bool mayHappen(Thread& t, bool isCounted, BoundKind bound);
  void noteHappened(Thread& t, bool isCounted, bool happened);

  // The trace (EventTexts).
  void describe(Thread& t, const std::string& text);
  void retitle(const Thread& t, EventKind kind);

 private:
  Execution& run_;
};

}  // namespace heddle
