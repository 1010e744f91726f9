// RepairPlan: what has to change so that a failure cannot happen, in terms of events and their places. A
// plan is made before anything looks at the program's text: diagnosis makes it, and analysis/repair
// realizes it in C. Plain data.
//
// A plan claims only that its orderings exclude the failing executions that were diagnosed; whether the
// patched program is right is decided by exploring it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/source_place.h"

namespace heddle {

enum class AccessKind : uint8_t { Start, End, Read, Write, Update, Lock, Unlock, Create, Join, Wait, Signal };

/// An event as the source shows it: all executions of one kind of operation at one place.
struct SourceAccess {
  SourcePlace place;  // place.function: the function whose text contains it
  AccessKind kind = AccessKind::Read;
  std::string object;  // variable, mutex or condition variable as messages name it: "balance", "q.lock"
  std::string threadFunction;  // what the thread runs: "withdraw", "main"
  bool operator==(const SourceAccess&) const = default;
};

/// Each execution of `before` that the diagnosis saw must come before `after`.
struct PlannedOrder {
  SourceAccess before, after;
  /// `after` waits until this many executions of `before` have happened (several threads may run its code);
  /// at least 1. Executions by the waiting thread itself count.
  uint32_t signals = 1;
  bool operator==(const PlannedOrder&) const = default;
};

struct RepairPlan {
  enum class Kind : uint8_t {
    CriticalSections,  // `regions` exclude each other: one mutex
    SignalWait,        // `orders`: signal after `before`, wait before `after`
    AtomicAccess,      // the accesses of `regions` (all to one object) become atomic operations
    MoveBeforeCreate,  // `orders[0].before` moves to before the pthread_create at `create`
    MoveJoin,   // the pthread_join at `create` moves before orders[0].after; if `create` is a create, the
                // program has no join yet
    LockOrder,  // the acquisitions of each region are to be made in the order `lockOrder`
    LoopAroundWait,  // the pthread_cond_wait regions[0][0] needs a loop over its predicate
    ReleaseLock,     // what regions[0][0] acquires is to be released at every way out
    AnnounceChange,  // `orders`: each `before` is to be followed by a call that wakes the threads waiting at
                     // `after`
    StrongerCall,    // each region's call becomes a stronger one: trylock → lock, signal → broadcast
    InitialCount,    // the semaphore or barrier objects[0], used at regions[0][0], needs another count
    AtomicUpdate,    // the two operations of regions[0] on one atomic object become one
    LockByAddress,   // the two mutexes that each region acquires are acquired in the order of their addresses
    ReleaseFirst,  // the thread already holds for reading what regions[0][0] acquires: it releases that first
    MoveIntoSection,  // the statement of regions[0][0] moves behind the acquisition that comes right after it
    UseBeforeCall,  // the call right before the statement of regions[0][0] gets the object of that statement;
                    // it moves behind the statement
    WaitForMore,    // the loop whose condition makes the read regions[0][0] also waits for something else;
                    // `count` selects which
    RetainEarlier,  // the call of regions[0][0], made in a new thread, moves to before the pthread_create
    UnlockLater,    // the unlock before the statement of regions[0][0], in its block, moves behind it
    WaitOutside,    // the blocking call regions[0][1] leaves the section that regions[0][0] begins: it moves
                    // before the lock (`count` 0) or behind the unlock (1)
    PublishLast,    // the write regions[0][0] moves behind the later write regions[0][1] in its block, so a
                    // thread that sees it sees the other write too
    ThreadLocal,    // the static array of regions[0][0], whose address its function returns, becomes
                    // thread-local
    BarrierBetween,  // threads also meet at their barrier before the statement of regions[0][0]
    Fences,          // a full fence behind the statement of each region's access
  };
  Kind kind = Kind::CriticalSections;

  /// CriticalSections: each inner vector holds the accesses that must lie in one critical section, in program
  /// order; accesses may lie in different functions when one calls the other. Two threads that run the same
  /// code give one region. A region may consist of one access.
  /// AtomicAccess: the accesses of the object, in one region for each read-modify-write that has to become
  /// one operation. LockOrder: the acquisitions of each thread in their present order. MoveJoin: the other
  /// accesses that the joining thread makes without a lock while the other thread may run; the join comes
  /// before the first of them.
  std::vector<std::vector<SourceAccess>> regions;

  /// CriticalSections: a region spans several executions of the same code, so its section has to hold all of
  /// the loop (or of the calls) that executes it.
  bool acrossIterations = false;

  std::vector<PlannedOrder> orders;    // SignalWait, AnnounceChange; moves: the order that they enforce
  std::optional<SourceAccess> create;  // moves: the create (the join) of the thread that uses the object
  std::vector<std::string> lockOrder;  // LockOrder: names of the mutexes, first acquired first

  /// CriticalSections: the one mutex that is held at most accesses to the data already, as messages name it,
  /// and one of its acquisitions (whose argument is an expression for it); empty: a new mutex is needed.
  std::string existingLock;
  std::optional<SourceAccess> existingLockAt;

  std::vector<std::string> objects;  // the shared data the plan protects, as messages name it
  std::vector<std::string> why;      // one sentence each
  uint32_t coversCores = 0;          // failing cores that the plan excludes
  uint32_t cost = 0;                 // expected number of edits to the text
  bool isForCheck = false;           // a section is extended only up to what an assertion reads
  /// LoopAroundWait: no flag that the program sets where it signals can serve as the predicate.
  bool newFlag = false;
  bool permissive = true;  // false: the plan forces one order of two threads where both orders would be right
  /// InitialCount: the new count (0: one less than in the text); other kinds: which of several.
  uint32_t count = 0;
  /// Orderings of two events of different threads that the plan fixes; 0 if permissive.
  uint32_t fixedOrderings = 0;
  bool operator==(const RepairPlan&) const = default;
};

/// "critical-sections", "signal-wait", "atomic", "move-before-create", "move-join", "lock-order",
/// "loop-around-wait", "release-lock", "announce-change", "stronger-call", "initial-count", "atomic-update",
/// "lock-by-address", "release-first", "move-into-section",
/// "use-before-call", "wait-for-more", "retain-earlier", "unlock-later", "wait-outside", "publish-last",
/// "barrier-between", "thread-local", "fences"
const char* toString(RepairPlan::Kind kind);

}  // namespace heddle
