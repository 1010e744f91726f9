#include "analysis/model/bound.h"

namespace heddle {

const char* toString(BoundKind kind) {
  switch (kind) {
    case BoundKind::LoopIterations:
      return "loop-iterations";
    case BoundKind::LoopRounds:
      return "loop-rounds";
    case BoundKind::CallDepth:
      return "call-depth";
    case BoundKind::Threads:
      return "threads";
    case BoundKind::AllocationSize:
      return "allocation-size";
    case BoundKind::PipeBytes:
      return "pipe-bytes";
    case BoundKind::RunEvents:
      return "run-events";
    case BoundKind::RunInstructions:
      return "run-instructions";
    case BoundKind::Timeouts:
      return "timeouts";
    case BoundKind::SpuriousWakeups:
      return "spurious-wakeups";
    case BoundKind::WeakFailures:
      return "weak-failures";
    case BoundKind::CancelledWaits:
      return "cancelled-waits";
    case BoundKind::HandlerWaits:
      return "handler-waits";
    case BoundKind::LeaksAtExit:
      return "leaks-at-exit";
    case BoundKind::WeakAtomics:
      return "weak-atomics";
    case BoundKind::DestroyedObjects:
      return "destroyed-objects";
    case BoundKind::InputValues:
      return "input-values";
    case BoundKind::Arguments:
      return "arguments";
    case BoundKind::Interferences:
      return "interferences";
    case BoundKind::BranchCoverage:
      return "branch-coverage";
  }
  return "loop-rounds";
}

}  // namespace heddle
