// RepairPlan: what has to change so that a failure cannot happen, in terms of events and their places, before
// anybody has looked at the program's text. Made by diagnosis, realized in C by analysis/repair. Plain data.
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
    MoveJoin,          // the pthread_join at `create` (a create: there is none) moves before orders[0].after
    LockOrder,         // the acquisitions of each region are to be made in the order `lockOrder`
    LoopAroundWait,    // regions[0][0] is a pthread_cond_wait that needs a loop over its predicate
    ReleaseLock,       // what regions[0][0] acquires is to be released at every way out
    AnnounceChange,    // `orders`: after each `before`, who waits at `after` for its condition is to be woken
    StrongerCall,  // each region's call becomes the one that does more: trylock → lock, signal → broadcast
    InitialCount,   // the semaphore or barrier objects[0], used at regions[0][0], needs another count
    AtomicUpdate,   // the two operations of regions[0] on one atomic object become one
    LockByAddress,  // the two mutexes that each region acquires are acquired in the order of their addresses
    ReleaseFirst,   // what regions[0][0] acquires is held by its own thread for reading, and given back first
    MoveIntoSection,  // the statement of regions[0][0] moves behind the acquisition that comes right after it
    UseBeforeCall,    // the call right before the statement of regions[0][0], which gets its object, moves
                      // behind
    WaitForMore,      // the loop whose condition makes the read regions[0][0] waits for one more thing:
                      // `count`-th
    RetainEarlier,    // the call of regions[0][0], made in a new thread, moves to before the pthread_create
    UnlockLater,      // the unlock before the statement of regions[0][0], in its block, moves behind it
    WaitOutside,     // the blocking call regions[0][1] leaves the section that regions[0][0] begins: it moves
                     // before that (`count` 0), or behind the unlock (1)
    PublishLast,     // the write regions[0][0] moves behind the later one regions[0][1], in its block: who
                     // sees it sees what was written before it
    ThreadLocal,     // the static array regions[0][0] is in, whose address its function returns, is each
                     // thread's own
    BarrierBetween,  // threads also meet at their barrier before the statement of regions[0][0]
    Fences,          // a full fence behind the statement of each region's access
  };
  Kind kind = Kind::CriticalSections;

  /// CriticalSections: each inner vector holds the accesses that must lie in one critical section, in program
  /// order; accesses may lie in different functions when one calls the other. Two threads that run the same
  /// code give one region. A region may consist of one access.
  /// AtomicAccess: the accesses of the object, in one region for each read-modify-write that has to become
  /// one operation. LockOrder: the acquisitions of each thread in their present order. MoveJoin: what else
  /// the joining thread accesses with no lock while the other one may run; the join comes before the first of
  /// it.
  std::vector<std::vector<SourceAccess>> regions;

  /// CriticalSections: a region spans several executions of the same code, so its section has to hold all of
  /// the loop (or of the calls) that executes it.
  bool acrossIterations = false;

  std::vector<PlannedOrder> orders;    // SignalWait, AnnounceChange; moves: the order that they bring about
  std::optional<SourceAccess> create;  // moves: the create (the join) of the thread that uses the object
  std::vector<std::string> lockOrder;  // LockOrder: names of the mutexes, first acquired first

  /// CriticalSections: the one mutex that is held at most accesses to the data already, as messages name it,
  /// and one of its acquisitions (whose argument is an expression for it); empty: a new mutex is needed.
  std::string existingLock;
  std::optional<SourceAccess> existingLockAt;

  std::vector<std::string> objects;  // the shared data the plan protects, as messages name it
  std::vector<std::string> why;      // one sentence each
  uint32_t coversCores = 0;          // failing cores that the plan excludes
  uint32_t cost = 0;                 // number of edits to the text that it is expected to take
  bool isForCheck = false;           // a section goes on only to what an assertion looks at
  bool newFlag = false;              // LoopAroundWait: none that the program sets where it signals will do
  bool permissive = true;            // false: it forces one order of threads where either would do
  uint32_t count = 0;                // InitialCount; 0: one less than in the text; others: which of several
  uint32_t fixedOrderings = 0;       // of two events of different threads that it fixes; 0 if permissive
  bool operator==(const RepairPlan&) const = default;
};

/// "critical-sections", "signal-wait", "atomic", "move-before-create", "move-join", "lock-order",
/// "loop-around-wait", "release-lock", "announce-change", "stronger-call", "initial-count", "atomic-update",
/// "lock-by-address", "release-first", "move-into-section",
/// "use-before-call", "wait-for-more", "retain-earlier", "unlock-later", "wait-outside", "publish-last",
/// "barrier-between", "thread-local", "fences"
const char* toString(RepairPlan::Kind kind);

}  // namespace heddle
