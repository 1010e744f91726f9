// EventSink: what the machine reports while it runs, and where symbolic values enter.
//
// Calls come in execution order, on the machine's thread. Each is made when the event is executed, not when
// it becomes pending; `blocked` reports, at the end of a run, the events that stayed pending. Code between
// two events of a thread runs at once after the first of them, so branch, choice and input calls belong to
// the thread's last event.
//
// A sink that only watches may derive and override what it needs: the defaults keep every value concrete.
#pragma once

#include <span>

#include "analysis/model/event.h"
#include "analysis/model/state_key.h"
#include "analysis/model/term.h"

namespace heddle {

/// A value from outside.
struct InputRequest {
  ThreadId thread = kNone;
  uint32_t ordinal = 0;          // number among the thread's inputs whose memoryOperation is 0, from 0
  uint64_t memoryOperation = 0;  // the operation that reads memory never written; 0: another kind of input
  unsigned width = 32;           // bits
  bool isSigned = true;
  PlaceId place = kNone;
  std::string name;  // the variable it goes to, or the function that was called
  /// A call returns it and does nothing else, so whoever gives this number has made the call.
  bool isResult = false;
};

enum class BranchRole : uint8_t {
  Branch,  // an ordinary two-way branch
  Check,   // an implicit assertion; the false side is a failure
  Assume,  // the false side ends the thread silently; what happened before stands (docs/interp.md)
};

/// Why a thread goes round in a loop without doing anything that others can tell (docs/awaits.md).
enum class GoesRound : uint8_t {
  Waits,        // until something that a round looks at has changed
  Idle,         // for ever, whatever others do: it waits for nothing
  TakesInputs,  // until something has changed, or an input of another value leads elsewhere, if one does
  MayLeave,     // until the world outside lets it go on
};

/// What it takes from outside may let it go on, whatever other threads do.
inline bool takesMore(GoesRound how) {
  return how == GoesRound::TakesInputs || how == GoesRound::MayLeave;
}

struct BranchInfo {
  ThreadId thread = kNone;
  PlaceId place = kNone;
  Term condition = kNoTerm;  // width 1, not a constant
  bool taken = false;        // the concrete value of the condition
  BranchRole role = BranchRole::Branch;
  int8_t errorSide = -1;  // 0/1: that side leads straight to a failure; -1: neither
};

class EventSink {
 public:
  virtual ~EventSink() = default;

  /// A thread begins; `argument` is what it was created with. May give the argument a symbol.
  virtual void start(const Event&, Value& /*argument*/) {}
  virtual void end(const Event&) {}

  /// values[i]: what cell i holds. The sink may set values[i].term, of the cell's width in bits.
  virtual void read(const Event&, std::span<Value> /*values*/) {}
  virtual void write(const Event&, std::span<const Value> /*values*/) {}
  /// As read; the new values follow at once in `endUpdate`.
  virtual void beginUpdate(const Event&, std::span<Value> /*old*/) {}
  virtual void endUpdate(const Event&, std::span<const Value> /*updated*/) {}

  virtual void lock(const Event&) {}
  virtual void unlock(const Event&) {}
  /// `acquired`: the try-lock got the mutex (then it stands for a lock); else the event is LockBusy.
  virtual void tryLock(const Event&, bool /*acquired*/) {}

  /// Wait, Wake, Signal, Broadcast.
  virtual void condition(const Event&) {}

  /// The thread has left an atomic section in which some event was executed.
  virtual void sectionEnd(ThreadId) {}
  /// An atomic section was given up: the cell holds again what it held before the section.
  virtual void restored(LocationId, const Value&) {}

  virtual void create(const Event&, const Value& /*argument*/) {}
  virtual void join(const Event&) {}

  /// The concrete value (masked to the width) and, if wanted, its symbol.
  virtual Value input(const InputRequest&) { return {}; }
  /// From this one on all inputs of the thread are 0.
  virtual bool isBehindLastInput(const InputRequest&) const { return false; }
  /// The null that a function without a body leaves in memory where the program keeps a pointer, and of which
  /// nothing is known, with so many bits. May have a symbol.
  virtual Value leftNull(unsigned /*width*/) { return {}; }
  /// For a read that the exploration does not take for an input, because the memory is shared: whether it was
  /// an input when this run was recorded.
  virtual bool wasInput(const InputRequest&) const { return false; }
  /// Whether the run repeats a recorded one. Events without a cause then happen where `wasInput` says so.
  virtual bool isReplay() const { return false; }
  /// A branch on a condition that depends on a symbol.
  virtual void branch(const BranchInfo&) {}
  /// `term` (an address, a size, a callee) was taken to be its concrete value `bits`.
  virtual void choice(ThreadId, PlaceId, Term /*term*/, uint64_t /*bits*/) {}

  /// The thread, whose path has forked, is at a merge point: whether the sink wants `merge` to be called.
  virtual bool wantsMerge(ThreadId) { return false; }
  /// The thread's local state has this key; `marks`: the numbers that the thread may still be rewound to.
  virtual void merge(ThreadId, PlaceId, StateKey, std::span<const uint32_t> /*marks*/) {}

  /// The thread stands at the head of a loop: remember what it has done under the number `mark`.
  virtual void mark(ThreadId, uint32_t /*mark*/) {}
  /// The thread is back at the head of the loop in the state it had at `mark`, and nobody can tell that it
  /// went round: what it did since counts as not done.
  virtual void rewind(ThreadId, uint32_t /*mark*/, GoesRound) {}

  /// The thread has executed an event and now stands before `next`. Null: it has ended, or never goes on.
  virtual void advanced(ThreadId, const Event* /*next*/) {}
  /// The thread goes round without an event. Never GoesRound::Waits: what it would wait for is shared.
  virtual void setAside(ThreadId, GoesRound) {}

  /// The thread comes to a numbered place of an instrumented program (analysis/enforce); what it does there
  /// comes next.
  virtual void passed(ThreadId, uint32_t /*site*/) {}

  // Called only by a machine that pauses (MachineOptions::pauses). True: the run pauses there.
  /// The thread comes to the start of a line, a number in Program::statements.
  virtual bool statement(ThreadId, uint32_t /*statement*/) { return false; }
  /// The event is about to be executed.
  virtual bool beforeEvent(const Event&) { return false; }

  virtual void failure(const Failure&) {}
  /// An event that was still pending when no thread could go on.
  virtual void blocked(const Event&) {}
  /// The initial value of a cell (what it holds before the first event), asked for once, when the cell is
  /// first touched by an event.
  virtual void initialValue(LocationId, const Value&) {}
  /// After `initialValue`, where some byte of the cell was never written: the value is no more than a
  /// stand-in.
  virtual void neverWritten(LocationId) {}
};

}  // namespace heddle
