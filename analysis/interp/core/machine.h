// Machine: executes a lowered program deterministically under a scheduler, concrete and symbolic side by
// side.
//
// Threads run up to their next *visible* event and stop before it; the scheduler picks one of the pending
// events that are enabled; the machine executes it and runs that thread on to its next pending event. A run
// ends when no event is enabled (quiescence), when the scheduler or the budget says so, or at something that
// cannot be modelled. Only accesses to objects that Locations calls shared are events; every access is noted
// there.
//
// The prologue: until main has created a thread or passed a branch or choice on a symbol whose other side
// stays open (Assume does not count: its other side does not exist), main's accesses set initial values and
// are no events.
//
// A machine is used for one run, on one thread. Native code of the user is never run.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/interp/core/event_sink.h"
#include "analysis/interp/core/reach_log.h"
#include "analysis/interp/core/scheduler.h"
#include "analysis/model/bound.h"
#include "analysis/model/event.h"
#include "analysis/model/locations.h"
#include "analysis/model/names.h"
#include "analysis/model/schedule.h"
#include "analysis/program/program.h"
#include "analysis/support/budget.h"

namespace heddle {

class MemoryModel;

/// What all executions of one exploration share. The references must outlive the machine.
struct MachineContext {
  const Program& program;
  Names& names;
  TermTable& terms;
  Locations& locations;
};

struct MachineOptions {
  FunctionId entry = 0;
  uint64_t maxInstructions = 200'000'000;  // of one run, all threads
  uint64_t maxEvents = 1'000'000;          // of one run
  uint32_t unroll = 0;                     // iterations per thread and loop; 0 = no bound
  /// Rounds per loop in which the thread did something that others can tell, or its path forked; others cost
  /// nothing. 0 = no bound.
  uint32_t rounds = 0;
  /// Bytes of an allocation whose size depends on an input; larger ones are cut. 0 = no bound.
  uint64_t maxInputSize = 0;
  uint32_t maxThreads = 256;  // that run; a thread beyond this number starts and goes no further
  uint32_t maxCallDepth = 250'000;
  uint64_t maxStackBytes = uint64_t{256}
                           << 20;  // of all threads, as this machine keeps them; calls beyond are cut
  bool awaits = true;       // loops that only wait block until what they read changes (waiting_loops.h)
  bool recordTrace = true;  // TraceEntry per event, with text
  /// Where to note the ways that branches and switches went: pairs of program counters. Null: nowhere.
  std::set<std::pair<uint32_t, uint32_t>>* branchEdges = nullptr;
  bool stopAtFailure = false;  // end the run at the first failure (for display of a witness)
  /// `unroll` and `rounds` also cut loops whose number of rounds neither inputs nor other threads decide.
  bool cutsCounted = false;
  /// A wait that changes something each time (such as a count of waiters) ends without a signal at most twice
  /// in a row. False: as often as inputs say; a search of states then comes back to a state that it knows.
  bool limitsWakeups = true;
  bool pauses = false;        // asks EventSink::statement and beforeEvent whether to pause
  ReachLog* reach = nullptr;  // records what the run reaches; null: nothing is recorded
  /// What loads may read, for this one run (memory_model.h). Null: sequential consistency.
  MemoryModel* memoryModel = nullptr;
  std::vector<uint32_t> finals;  // globals whose values at the end are wanted
};

enum class RunOutcome : uint8_t {
  Quiescent,    // no event enabled: all threads ended or blocked
  Stopped,      // the scheduler ended it, or stopAtFailure
  OutOfBudget,  // budget or maxInstructions/maxEvents
  Unsupported,
  Failed,     // a failure that depends on other threads in a way that no event tells ended it
  Relearned,  // Locations::version() changed: what the sink saw is not valid any more
};

struct UsedInput {
  ThreadId thread = kNone;
  uint32_t ordinal = 0;          // among all inputs of the thread, from 0
  uint32_t listed = 0;           // InputRequest::ordinal
  uint64_t memoryOperation = 0;  // InputRequest::memoryOperation
  unsigned width = 32;
  bool isSigned = true;
  PlaceId place = kNone;
  std::string name;
  uint64_t bits = 0;
  bool isInvented = false;   // an unknown function left it in memory
  bool isReturned = false;   // such a function returned it
  uint64_t operation = 0;    // of the thread, executed before the input was asked for
  bool isRefused = false;    // an allocation, or the creation of a thread, failed
  bool isReadBack = false;   // read from a file that the program has opened to write before
  bool isMonotonic = false;  // of a clock that never goes back; first its seconds, then the fraction
  bool isAsked = false;      // the program asks for it as an input, or for a random number
};

/// Behind the name of a variable that no file given defines: the value that was assumed of it.
inline constexpr const char* kTakenAsZero = "', defined elsewhere, taken as 0";
/// Said of an unknown function that is given functions.
inline constexpr const char* kCallsNothingBack = ", calls no function back";

struct RunResult {
  RunOutcome outcome = RunOutcome::Quiescent;
  StopReason stop = StopReason::None;  // for OutOfBudget
  std::string unsupported;             // what, for Unsupported
  PlaceId unsupportedPlace = kNone;    // where
  std::vector<Failure> failures;
  std::vector<TraceEntry> trace;
  std::vector<UsedInput> inputs;
  std::vector<Event> blocked;  // pending events at quiescence
  std::vector<Event>
      pending;  // what every thread stands before, when the scheduler ended the run or at quiescence
  std::set<ThreadId> cancelled;  // who of them was asked to end where the wait may be cancelled
  /// What the threads that wait in a loop read in each round, with the place of the read.
  std::vector<Event> awaited;
  std::set<Bound> bounds;
  bool passedWakeupLimit = false;  // some wait would have been counted (MachineOptions::limitsWakeups)
  std::set<Bound> misuseBounds;    // misuse that other schedules might show, and that no question asks for
  std::vector<uint64_t> finals;    // of MachineOptions::finals; empty: not ended
  bool droppedTerm = false;        // some value's term, so a model of the formula need not be an execution
  std::vector<std::pair<PlaceId, std::string>> assumptions;  // "uninitialized value taken as 0", …
  std::set<std::string> unknownCalls;  // functions that were called and are neither defined nor modelled
  std::set<PlaceId> unknownPlaces;     // where
  /// Where these were taken to have changed memory, and where an access lies outside of what they returned.
  std::set<PlaceId> unknownWrites;
  /// Objects that such a function was given and of which it may have written more than their types tell.
  std::set<std::string> unknownRests;
  std::string output;  // printf and puts of the program
  uint64_t instructions = 0;
  uint64_t events = 0;
  /// The most rounds of one loop whose number inputs or other threads may decide; 0 with
  /// MachineOptions::rounds.
  uint64_t rounds = 0;
  /// Quiescent with threads that wait for ever: the process has not ended, nobody failed, and no thread was
  /// stopped by a bound or an assumption.
  bool stuck = false;
  /// The same, but for inputs: some threads go round in loops, each round takes an input, and no input that
  /// was tried leads elsewhere. Whether none does, an exploration knows (docs/awaits.md, 6).
  bool stuckUnlessInputs = false;
  /// For a run that repeats what an exploration has found.
  bool waitsForEver() const { return stuck || stuckUnlessInputs; }
  bool processExited = false;  // exit, abort or return from main while threads ran
  int exitCode = -1;  // as a parent process would see it, 0..255; -1: the process did not end by itself
  /// The schedule and inputs that replay this run.
  Schedule schedule;
};

class Machine {
 public:
  Machine(MachineContext context, const MachineOptions& options, Scheduler& scheduler, EventSink& sink,
          const Budget& budget);
  ~Machine();
  RunResult run();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle
