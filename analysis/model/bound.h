// Bound: what an exploration left out: "complete" holds only within it. The kind decides what a bound does to
// a verdict; its text (analysis/program/bound_text.h) is for people and decides nothing.
//
// Threading: plain data.
#pragma once

#include <compare>
#include <cstdint>

#include "analysis/model/ids.h"

namespace heddle {

enum class BoundKind : uint8_t {
  // Executions are cut: what comes after the bound was not seen.
  LoopIterations,  // of one loop and thread (--unroll)
  LoopRounds,      // that others can tell, of one loop and thread, when the exploration deepens
  CallDepth,
  Threads,
  AllocationSize,   // in bytes, where it depends on an input
  PipeBytes,        // that went through one pipe
  RunEvents,        // of one execution
  RunInstructions,  // of one execution
  // Nothing is cut: something that could happen was not considered.
  Timeouts,          // in a row, of one timed wait
  SpuriousWakeups,   // in a row, of one wait
  WeakFailures,      // in a row, of one weak compare-exchange
  CancelledWaits,    // are not judged for deadlocks
  HandlerWaits,      // are not judged for deadlocks, as a signal handler may end them
  LeaksAtExit,       // after main has ended by pthread_exit
  WeakAtomics,       // taken as sequentially consistent
  DestroyedObjects,  // judged in the executions that were run
  InputValues,       // one for each input
  Arguments,         // of main, and their characters
  Interferences,     // of one scenario (con2colic)
  BranchCoverage,    // of what con2colic has covered; says how much, and leaves nothing out
};

struct Bound {
  BoundKind kind = BoundKind::LoopRounds;
  PlaceId place = kNone;
  uint64_t count = 0;  // how many are allowed; 0: the kind has no number
  auto operator<=>(const Bound&) const = default;
};

/// Executions end at the bound: what is complete within it need not be without it.
constexpr bool isCut(BoundKind kind) {
  return kind <= BoundKind::RunInstructions;
}

/// Executions end there because some loop goes on, or because of something that its length decides.
constexpr bool isCutInLoops(BoundKind kind) {
  return kind == BoundKind::LoopIterations || kind == BoundKind::LoopRounds ||
         kind == BoundKind::AllocationSize || kind == BoundKind::RunEvents ||
         kind == BoundKind::RunInstructions;
}

/// "loop-rounds", …: the name in JSON.
const char* toString(BoundKind kind);

}  // namespace heddle
