// Events: the visible operations of an execution, and what a run records of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/model/ids.h"
#include "analysis/model/memory_order.h"
#include "analysis/model/sync_rule.h"
#include "analysis/model/term.h"

namespace heddle {

enum class EventKind : uint8_t {
  Start,  // first event of a thread
  End,    // last event of a thread (return, pthread_exit, a failure, exit of the process)
  Read,
  Write,
  Update,  // atomic read-modify-write
  Lock,    // acquisition of a mutex; pending while another thread holds it
  Unlock,
  LockBusy,  // a try-lock that found the mutex held by another thread
  Create,
  Join,  // pending until the other thread has ended
  Wait,  // on a condition variable: the thread is among its waiters from now on
  Wake,  // of a waiting thread; pending until a signal or broadcast since its Wait is for it
  Signal,
  Broadcast,
};

const char* toString(EventKind kind);

inline bool isAccess(EventKind kind) {
  return kind == EventKind::Read || kind == EventKind::Write || kind == EventKind::Update;
}

/// A visible operation, pending or executed. `cells`: the locations touched (Read, Write, Update), or the one
/// cell that identifies the mutex (Lock, Unlock, LockBusy) or condition variable (Wait, Wake, Signal,
/// Broadcast).
struct Event {
  EventKind kind = EventKind::Start;
  ThreadId thread = kNone;
  PlaceId place = kNone;
  bool atomic = false;       // an atomic access: no race with another atomic access
  bool isVolatile = false;   // a plain access to a volatile object
  bool inHandler = false;    // `isVolatile`, by a thread that runs a signal handler
  AtomicOrders orders = {};  // of an atomic access
  std::vector<LocationId> cells;
  bool endsProcess = false;  // End: by a failure, exit or abort; nobody joins the thread any more
  ThreadId other = kNone;    // Create: the child; Join: the joined thread
  uint64_t operation = 0;    // see Schedule: this thread's operation count once the event is executed
  uint32_t section = 0;      // number of the thread's atomic section that it lies in, from 1; 0: in none
  const SyncRule* rule =
      nullptr;    // Read or Update of a synchronization object; pending until its guard holds
  Value operand;  // of the rule
  /// Update, once executed: whether it wrote. A compare-exchange that fails has only read (C11 7.17.7.4).
  Value wrote{1, kNoTerm};
  bool timed = false;  // its thread would stop waiting after some time
};

/// Whether an executed access wrote memory. Every question about conflicts must use this, or Node::writesIf.
inline bool hasWritten(const Event& event) {
  return event.kind == EventKind::Write || (event.kind == EventKind::Update && (event.wrote.bits & 1) != 0);
}

/// Whether two accesses (Event, Node or HappenedEvent) do not race whatever orders them: atomic ones, and
/// volatile ones of a signal handler and of what it interrupts (C11 5.1.2.3p5, 7.14.1.1p5).
template <typename Access>
bool areAtomic(const Access& a, const Access& b) {
  return (a.atomic && b.atomic) || (a.isVolatile && b.isVolatile && (a.inHandler || b.inHandler));
}

/// Whether the accesses of two threads race if they touch a common cell and nothing orders them. For an
/// Update that was not executed yet: whether they may race.
inline bool areConflicting(const Event& a, const Event& b) {
  return a.thread != b.thread && isAccess(a.kind) && isAccess(b.kind) && !areAtomic(a, b) &&
         !(a.section != 0 && b.section != 0) && (hasWritten(a) || hasWritten(b));
}

/// One executed event of a run, in execution order, with what a reader wants to see.
struct TraceEntry {
  EventKind kind = EventKind::Start;
  ThreadId thread = kNone;
  PlaceId place = kNone;
  uint64_t operation = 0;
  std::string text;               // "write x = 2", "lock m", …
  std::vector<LocationId> cells;  // as in the event
  bool wrote = false;             // it wrote memory: a Write, or an Update that did (Event::wrote)
  /// A step of the interpreter that stands in no line of the program: whether memory is still allocated, a
  /// thread joinable, what a thread has returned.
  bool isHidden = false;
  bool isSync =
      false;  // an atomic access, or an operation of a synchronization object: it races with no other
};

/// A thread goes on after Uninitialized, and ends with any other failure.
enum class FailureKind : uint8_t { Assertion, Memory, Misuse, Overflow, Uninitialized };

/// Something the program must not do, reached by a thread. The thread ends there (but see FailureKind);
/// others go on.
struct Failure {
  FailureKind kind = FailureKind::Assertion;
  ThreadId thread = kNone;
  PlaceId place = kNone;
  std::string message;     // claim in the program's terms: "assertion 'x < 100' failed"
  size_t traceLength = 0;  // entries of the trace that were executed when it happened
  ObjectId freed = kNone;  // the freed object that it uses
  PlaceId freedAt = kNone;
  std::vector<PlaceId> calls;  // that were being executed, the innermost first; not all of very many
};

}  // namespace heddle
