#include "analysis/program/bound_text.h"

namespace heddle {

std::string boundText(const Program& program, const Bound& bound) {
  const std::string at = program.shortPlace(bound.place), count = std::to_string(bound.count);
  switch (bound.kind) {
    case BoundKind::LoopIterations:
      return "loop at " + at + " cut after " + count + " iterations";
    case BoundKind::LoopRounds:
      return "loop at " + at + " cut after " + count + " rounds";
    case BoundKind::CallDepth:
      return "recursion cut at depth " + count;
    case BoundKind::Threads:
      return "threads beyond " + count + " cut where they start";
    case BoundKind::AllocationSize:
      return "allocation at " + at + " cut above " + count + " bytes";
    case BoundKind::PipeBytes:
      return "what goes through a pipe cut above " + count + " bytes";
    case BoundKind::RunEvents:
      return "executions cut after " + count + " events";
    case BoundKind::RunInstructions:
      return "executions cut after " + count + " instructions";
    case BoundKind::Timeouts:
      return "the wait at " + at + " times out at most " + count + " times in a row";
    case BoundKind::SpuriousWakeups:
      return "the wait at " + at + " ends without a signal at most " + count + " times in a row";
    case BoundKind::WeakFailures:
      return "the compare-exchange at " + at + " fails without reason at most " + count + " times in a row";
    case BoundKind::CancelledWaits:
      return "waits that a cancellation may end are not judged for deadlocks";
    case BoundKind::HandlerWaits:
      return "waits that a signal handler may end are not judged for deadlocks";
    case BoundKind::LeaksAtExit:
      return "memory that is left when main has ended by pthread_exit is not looked for";
    case BoundKind::WeakAtomics:
      return "weaker atomic operations taken as sequentially consistent";
    case BoundKind::DestroyedObjects:
      return "destruction of objects that other threads may use: judged in the executions that were run";
    case BoundKind::InputValues:
      return "one value for each input";
    case BoundKind::Arguments:
      return "main is called with at most " + count + " arguments of at most 3 characters";
    case BoundKind::Interferences:
      return "at most " + count + " interferences";
    case BoundKind::BranchCoverage:
      return "branches covered";
  }
  return "";
}

}  // namespace heddle
