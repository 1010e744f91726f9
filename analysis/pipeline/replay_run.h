// ReplayRun: one schedule, run again by a machine that shares nothing with the exploration that found it.
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

/// What a replay of an instrumented program (analysis/enforce) shows, in the order in which it happens.
struct ReplayLog {
  struct Entry {
    Event event;
    uint32_t passed = 0;  // numbered places that the thread had come to, the event's own included
  };
  struct Input {
    ThreadId thread = kNone;
    uint32_t passed = 0;
    std::string name;
    uint64_t memoryOperation = 0;  // as InputRequest
    bool isResult = false;         // as InputRequest
    int64_t value = 0;             // extended by its sign, if it has one
  };
  std::map<ThreadId, std::vector<uint32_t>> sites;  // that each thread came to
  std::vector<Entry> events;
  std::vector<Input> inputs;
  std::optional<ThreadId> failed;  // who failed last
};

/// Two conflicting accesses that happens-before does not order.
struct RacingPair {
  Event before, last;
  bool flagIsVolatile = false;  // what keeps them apart is volatile
};

struct ReplayRun {
  std::unique_ptr<Names> names;
  RunResult result;         // up to the first failure
  bool everyAccess = true;  // was an event
  std::string divergence;   // empty: the schedule could be followed
  /// A data race: the last two events of the schedule are conflicting accesses, or the last one conflicts
  /// with an earlier one and happens-before does not order them.
  bool race = false;
  Event lastAccess, accessBefore;  // if so
  Cell raced;                      // under a weak memory model, what they access
  bool flagIsVolatile = false;     // and what keeps them apart is volatile
  /// Further ones, where the last two threads' accesses conflict in several places.
  std::vector<RacingPair> alsoUnordered;
};

/// Every access is a scheduling point, so the schedule's operation counts are met exactly.
ReplayRun replayRun(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget);

/// The same, and what the run came to: `reach` is of the program's size, and is overwritten.
ReplayRun replayRun(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget,
                    ReachLog& reach);

/// The same, with the values of these globals at the end in RunResult::finals.
ReplayRun replayRun(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget,
                    const std::vector<uint32_t>& finals);

/// Inputs by their threads' labels in the schedule and their positions there.
using InputPositions = std::set<std::pair<std::string, uint32_t>>;

/// Whether the run's way depends on what these inputs are: a branch, an address or a size.
bool dependsOn(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget,
               const InputPositions& inputs);

/// Whether a branch on the line of `place` depends on them.
bool decidesAt(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget,
               const InputPositions& inputs, const SourcePlace& place);

/// As replayRun, of an instrumented program. `everyAccess`: also accesses to memory that only one thread uses
/// are events; else those are not that this run shows to be unshared. `afterwards`: the threads go on after
/// the schedule, until none can.
ReplayRun recordRun(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget,
                    bool everyAccess, bool afterwards, ReplayLog& log);

/// What the run shows: its failures, the race it ends with, threads that wait for ever. `afterExit`: also
/// those that wait when the process has ended meanwhile (they waited before, too).
std::vector<Finding> findingsOf(const Program& program, const ReplayRun& run, std::string_view text,
                                bool afterExit);

}  // namespace heddle
