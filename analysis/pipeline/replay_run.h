// ReplayRun: runs one schedule again, in a machine that shares nothing with the exploration that found it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/interp/core/machine.h"
#include "analysis/report.h"

namespace heddle {

/// What a replay of an instrumented program (analysis/enforce) shows, in order.
struct ReplayLog {
  struct Entry {
    Event event;
    uint32_t passed = 0;  // number of sites that the thread had passed, including the event's own site
  };
  struct Input {
    ThreadId thread = kNone;
    uint32_t passed = 0;
    std::string name;
    uint64_t memoryOperation = 0;  // as InputRequest
    bool isResult = false;         // as InputRequest
    int64_t value = 0;             // sign-extended if its type is signed
  };
  std::map<ThreadId, std::vector<uint32_t>> sites;  // sites that each thread passed, in order
  std::vector<Entry> events;
  std::vector<Input> inputs;
  std::optional<ThreadId> failed;  // the thread that failed last
};

/// Two conflicting accesses that happens-before does not order.
struct RacingPair {
  Event before, last;
  bool flagIsVolatile = false;  // the accesses that keep them apart are volatile
};

struct ReplayRun {
  std::unique_ptr<Names> names;
  RunResult result;         // up to the first failure
  bool everyAccess = true;  // every memory access was an event
  std::string divergence;   // empty: the schedule was followed
  /// A data race: the last two events of the schedule are conflicting accesses, or the last one conflicts
  /// with an earlier one and happens-before does not order them.
  bool race = false;
  Event lastAccess, accessBefore;  // if so
  Cell raced;                      // under a weak memory model: the cell that they access
  bool flagIsVolatile = false;     // the accesses that keep the two racing accesses apart are volatile
  /// Further pairs, if the accesses of the last two threads conflict at several places.
  std::vector<RacingPair> alsoUnordered;
};

/// Runs the schedule. Every access is a scheduling point, so the run follows the schedule's operation
/// counts exactly.
ReplayRun replayRun(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget);

/// The same, and notes in `reach` what the run reached. `reach` must have the program's size and is
/// overwritten.
ReplayRun replayRun(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget,
                    ReachLog& reach);

/// The same, with the values of these globals at the end in RunResult::finals.
ReplayRun replayRun(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget,
                    const std::vector<uint32_t>& finals);

/// As replayRun, for an instrumented program. `everyAccess`: accesses to memory that only one thread uses
/// are events, too; if false, accesses to memory that this run shows to be unshared are not. `afterwards`:
/// the threads go on after the schedule, until none can.
ReplayRun recordRun(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget,
                    bool everyAccess, bool afterwards, ReplayLog& log);

/// What the run shows: its failures, the race it ends with, threads that wait for ever. `afterExit`: also
/// threads that still wait when the process has ended (they waited before that, too).
std::vector<Finding> findingsOf(const Program& program, const ReplayRun& run, std::string_view text,
                                bool afterExit);

}  // namespace heddle
