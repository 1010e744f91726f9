// The state of one thread of the program under execution.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/interp/core/event_sink.h"
#include "analysis/interp/core/memory.h"
#include "analysis/interp/core/task.h"
#include "analysis/model/event.h"
#include "analysis/model/state_key.h"

namespace heddle {

struct Frame {
  FunctionId function = kNone;
  uint32_t base = 0;          // of its slots in the thread's registers
  uint32_t returnPc = 0;      // the call; its dst receives the result
  uint32_t objects = 0;       // stack objects of the frames below
  uint32_t variableBase = 0;  // variable arguments, behind the slots
  uint32_t variableCount = 0;
  uint32_t variablePool = 0;  // their entries in Program::arguments
  bool atomic = false;        // the whole function is one atomic section
  bool repeats = false;       // it has run in front of the instruction at `returnPc`, which is executed then
  uint64_t serial = 0;        // number among all frames of the thread; tells a frame from later ones
};

/// Bytes of an object that an instruction or a model accesses.
struct Target {
  MemoryObject* object = nullptr;
  uint64_t offset = 0;
};

struct MutexState {
  ThreadId owner = kNone;
  uint32_t depth = 0;  // of a recursive mutex
  int kind = -1;       // PTHREAD_MUTEX_*, -1: not looked up yet
  bool robust = false;
  bool inconsistent = false;  // robust: its owner took it over from a thread that had ended
  LocationId cell = kNone;    // while it is held
  uint64_t since = 0;         // Rounds::ownEvents of its owner when it was acquired
};

/// What a condition variable has seen in this run. Times are counts of executed events.
struct ConditionState {
  struct Interval {
    uint64_t since = 0, until = 0;  // from the Wait to the Wake
  };
  std::vector<uint64_t> signals;  // in order
  uint64_t lastBroadcast = 0;     // 0: none
  std::vector<Interval> woken;    // by signals

  /// Whether a thread that waits since `since` can be woken now: some signal or broadcast came after, and the
  /// signals can be divided among all who were woken so that each has one of its own.
  bool canWake(uint64_t since, uint64_t now) const;
  void wake(uint64_t since, uint64_t now);
};

/// A semaphore, read-write lock, barrier, once control or condition variable, found by its address. A mutex
/// has one for its second byte only.
struct SyncObject {
  MemoryObject* state = nullptr;  // a hidden cell of 32 bits, and behind it a Usable
  uint64_t parameter = 0;         // barrier: how many threads it takes; semaphore: 1 if it may overflow
  ConditionState condition;
};

/// A descriptor through which threads talk to each other. It cannot be read if `reads` is null, nor written
/// if `writes` is null.
struct Descriptor {
  MemoryObject* reads = nullptr;
  MemoryObject* writes = nullptr;
  bool isNonBlocking = false;
  bool isCount = false;      // an eventfd
  bool isSemaphore = false;  // an eventfd from which each read takes one
  uint32_t maker = 0;        // thread
  bool isShared = false;     // another thread has used it
  bool isSet = false;        // its maker has changed whether it blocks, when there were threads
};

/// What a thread holds of a read-write lock.
struct HeldRwlock {
  SyncObject* lock = nullptr;
  bool writing = false;
};

/// Bytes as they were before an atomic section wrote to them.
struct UndoEntry {
  Target target;
  unsigned size = 0;
  Value old;
  std::vector<LocationId> cells;
};

/// The stack objects one variable of one thread has had.
struct StackSite {
  uint32_t passed = 0;
  std::vector<MemoryObject*> unused;  // private ones, whose frames have ended
  bool isPrivate = false;
};

/// A loop head that a thread has passed, see waiting_loops.h.
struct LoopHead {
  uint32_t pc = 0;
  uint32_t mark = 0;  // EventSink::mark
  size_t depth = 0;   // of the call stack
  StateKey state;
  uint64_t events = 0;           // Rounds::ownEvents then
  size_t reads = 0;              // entries of Rounds::reads then
  uint64_t counter = 0;          // iterations of the loop then
  uint64_t forks = 0;            // Rounds::forks then
  uint64_t pathEvents = 0;       // Rounds::pathEvents then
  std::vector<uint32_t> passed;  // StackSite::passed then
  uint32_t inputs = 0;           // Thread::inputs then
  bool watches = false;          // Rounds::watchesRound then
  bool wentRound = false;        // since then, in a round that an input may end
  LocationId taken = kNone;      // the mutex that the thread's last event before had acquired
};

/// What a thread read, to tell later whether it would read the same again.
struct SeenCell {
  LocationId location = kNone;
  uint64_t version = 0;  // writes and lock operations others had made there
  PlaceId place = kNone;
};

/// What a thread looked at without an event.
struct Look {
  MemoryObject* object = nullptr;
  uint64_t offset = 0, size = 0;
};

/// A plain access that was an event: what was there afterwards.
struct RecentAccess {
  Target target;
  unsigned size = 0;
  Value value;
};

struct ActiveCall;

/// Frame::returnPc of a function that a model called: the model goes on when it returns.
inline constexpr uint32_t kCallback = ~0u - 1;

/// A modelled call that waits for a function of the program to return.
struct SuspendedCall {
  std::unique_ptr<ActiveCall> call;
  std::coroutine_handle<> resume;
  size_t frames = 0;  // in use when it suspended
  uint32_t pc = 0;
  Value* result = nullptr;
};

/// Where a setjmp was passed; the buffer holds its number.
struct JumpPoint {
  size_t frames = 0;
  uint64_t serial = 0;  // of the innermost of them
  uint32_t pc = 0;
};

/// A routine that the thread runs for pthread_once.
struct RunningOnce {
  SyncObject* control = nullptr;
  size_t frames = 0;    // in use below it
  size_t cleanups = 0;  // handlers registered before it
};

/// The event that a thread stands before, and what it will do.
struct NextStep {
  bool isGiven = false;  // the thread stands before `event`
  Event event;
  Target target;                   // of an access by an instruction
  Target access;                   // the access that follows a look at an object's life
  MemoryObject* ending = nullptr;  // the stack object whose life the event ends
  bool checkingLife = false;       // the event reads whether the heap object of `access` is alive
  bool isGranted = false;          // the instruction at Thread::pc was picked by the scheduler
  MutexState* mutex = nullptr;     // of a Lock
  SyncObject* sync = nullptr;      // of a Wake or event with a rule
  uint64_t waitsSince = 0;         // time of the last Wait
  Value weakFails;                 // of a weak compare-exchange: that it fails without reason
  bool isWeakCounted = false;      // such failures in a row are counted
};

/// The atomic section that the code is in.
struct SectionState {
  uint32_t number = 0;  // from 1; 0: in none
  uint32_t count = 0;   // of the sections entered so far
  uint32_t depth = 0;   // of nested ones
  bool isUsed = false;  // an event of it was executed
  std::vector<UndoEntry> undo;
  /// What it has read or written, and how its branches went: nobody can change either meanwhile.
  std::vector<std::pair<LocationId, Value>> cells;
  std::vector<Term> branches;
};

/// What the thread did since its last effect, and what it waits for in a loop (waiting_loops.cpp).
struct Rounds {
  uint64_t ownEvents = 0;
  uint64_t forks = 0;       // of its path so far, without the rounds that were dropped from it
  uint64_t pathEvents = 0;  // the same of its events
  std::vector<LoopHead> heads;
  LoopHead passed;  // the last one, if paths have not met since; its pc, depth and state
  std::vector<SeenCell> reads;
  uint64_t unmarked = 0;     // `ownEvents` when a loop head could not be remembered
  uint64_t sharedStack = 0;  // names the stack variables it has made that others access
  uint32_t suspect = 0;      // number of looks at a loop that has run long without an event; 0: none
  StateKey suspectState;
  uint64_t suspectEvents = 0;
  uint32_t suspectInputs = 0;  // Thread::inputs at that state
  bool setAside = false;       // the thread goes round without an event
  // Whether what it looks at without an event is noted: in a loop without events, in a round that waits.
  bool watchesLoop = false, watchesRound = false;
  std::vector<Look> looks;
  bool awaits = false;  // it goes on only once one of `awaited` has changed
  std::vector<SeenCell> awaited;
  size_t blamed = 0;                 // index in `awaited` of the cell that decides whether it leaves the loop
  std::vector<LocationId> released;  // mutexes that each round of its loop releases and acquires again
  bool leaving = false;              // it goes on until it would acquire one of `released`
  GoesRound goesRound = GoesRound::Waits;  // while it awaits, or is set aside
};

/// Modelled calls that are under way, and what they leave behind.
struct CallState {
  std::unique_ptr<ActiveCall> active;
  std::coroutine_handle<> resumePoint;  // the innermost coroutine of it
  std::vector<SuspendedCall> suspended;
  std::vector<JumpPoint> jumps;
  std::vector<uint64_t> cleanups;  // buffers of pthread_cleanup_push, innermost last
  std::vector<RunningOnce> onces;  // innermost last
  bool cancelDisabled = false;
  Value exitValue;  // of pthread_exit, while cleanup handlers run
};

struct Thread {
  ThreadId id = kNone;
  std::string label;
  FunctionId function = kNone;
  Value argument;
  PlaceId createdAt = kNone;
  bool started = false;
  bool ended = false;  // the End event is executed
  bool joined = false;
  bool detached = false;
  bool stopped = false;        // never goes on: an assumption failed or a bound was hit
  bool isHandler = false;      // it stands for a signal
  bool isBeyondBound = false;  // of MachineOptions::maxThreads: it stops where it starts

  std::vector<Value> registers;
  uint32_t top = 0;  // registers in use
  std::vector<Frame> frames;
  std::vector<MemoryObject*> stack;  // objects of all frames
  std::vector<StackSite> stackSites;
  std::unordered_map<uint32_t, uint32_t> sites;  // how often an allocating instruction was passed
  std::unordered_map<uint32_t, MemoryObject*> threadLocals;
  uint32_t pc = 0;

  // What it has seen so far may be different in another execution: an event, an input, a symbol.
  bool uncertain = false;
  std::vector<ThreadId> endedBefore;  // joined by it, or by its creator before; sorted
  uint64_t certainWrites = 0;         // to shared objects, without an event

  uint64_t operations = 0;
  uint64_t scheduled = 0;  // operations that segments of the schedule cover
  uint32_t creates = 0;
  uint32_t inputs = 0;
  uint32_t memoryInputs = 0;  // of these, what was read from memory that was never written

  NextStep next;
  SectionState atomic;
  Rounds rounds;
  CallState calls;

  /// It goes round in a loop and does nothing there that others can tell (Rounds::goesRound).
  bool goesRound() const { return rounds.setAside || (next.isGiven && rounds.awaits); }

  std::map<uint32_t, uint32_t> timeouts;  // of timed waits in a row, by program counter
  std::vector<HeldRwlock> rwlocks;
  std::map<uint32_t, Value> specific;         // by key
  uint32_t keys = 0;                          // that it has made
  std::map<std::string, uint64_t> variables;  // of the environment, that it has asked for: the text, or 0
  uint32_t allocations = 0;                   // that it has made on the heap
  std::vector<MemoryObject*> freed;  // heap objects that it has freed, and that nothing lies in since

  std::vector<RecentAccess> recent;  // since its last event of another kind
  // The condition under which the last atomic update had an effect. The thread's path decides it already, so
  // a branch on it is not reported.
  Term decided = kNoTerm;
  bool forked = false;  // its path may have forked since the last merge point

  std::vector<MemoryObject*> written;  // objects of its own it wrote, other than stack variables

  uint64_t frameCount = 0;
  uint64_t endOperation = 0;
};

}  // namespace heddle
