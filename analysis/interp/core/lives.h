// Lives: which objects are still there. Every access on the heap reads the object's life
// (MemoryObject::life), and so does every access of another thread to a stack or thread-local object. Frees
// and the ends of frames and threads write it.
//
// Threading: as the run.
#pragma once

#include "analysis/interp/core/execution_part.h"

namespace heddle {

class Lives : public ExecutionPart {
 public:
  explicit Lives(Execution& run) : ExecutionPart(run) {}

  /// Reads whether the object is still there, if it is on the heap or of another thread. False: the thread
  /// failed, the run ended, or the thread waits to read it (NextStep::checkingLife).
  bool check(Thread& t, const Target& target);
  bool finishCheck(Thread& t, const Target& target, bool asEvent);
  /// The object is on the stack, or in the thread-local storage, of another thread.
  bool isForeign(const Thread& t, const MemoryObject& object) const;
  /// Ends the lives of the thread's stack objects from number `first` on, and of all its thread-local ones if
  /// `threadLocals`. Stops at the first object whose end is an event and returns it; null: there is none.
  MemoryObject* endStackLives(Thread& t, size_t first, bool threadLocals = false);
  /// Executes the end of such a life, as the event that the thread was waiting to execute.
  void endStackLife(Thread& t, MemoryObject& object);
  /// Ends the life of a heap object. False when it had ended before.
  bool end(Thread& t, MemoryObject& object, bool asEvent);

 private:
  /// The object's hidden byte; null: the address space is used up.
  MemoryObject* lifeOf(MemoryObject& object);
};

}  // namespace heddle
