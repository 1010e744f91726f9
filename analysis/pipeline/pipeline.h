// Pipeline: the one entrance to the analysis. Command line and language server both call this.
//
// analyze(snapshot, options, budget, observer) → Report. Runs on the calling thread (and, with workers > 1,
// on threads it owns and joins), touches no global state, reads files but writes none, and executes nothing
// of the user. It never throws; every failure is a verdict in the report.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/compile/compile_command.h"
#include "analysis/model/memory_order.h"
#include "analysis/report.h"
#include "analysis/support/budget.h"
#include "analysis/support/environment.h"

namespace heddle {

/// One more file of a program.
struct Unit {
  std::string path;  // absolute
  std::string text;  // an overlay of that path comes first
  CompileCommand command;
};

/// An immutable picture of what is to be analysed.
struct Snapshot {
  std::string path;                             // absolute
  std::string text;                             // of `path`, possibly unsaved
  std::map<std::string, std::string> overlays;  // unsaved texts of other files, by absolute path
  CompileCommand command;
  Environment environment;
  std::vector<Unit> units;       // linked to the file at `path`
  bool onlyNeededUnits = false;  // of `units` only those that define what is used and not defined otherwise
  /// No header changes between explorations of one thread with this set: a unit is compiled once for all.
  bool filesAreFixed = false;
};

/// What Options::strategy may begin with: "forest", "mpc-s1", ….
std::vector<std::string_view> strategiesByName();

inline constexpr const char* kBestHarness = "*";

struct Options {
  std::string entry = "main";
  std::string strategy = "forest";
  std::set<Property> properties = defaultProperties();
  MemoryModelKind memoryModel = MemoryModelKind::C11;
  /// After a complete exploration by `forest`: execute every global path and count them (stats.paths).
  bool census = false;
  uint32_t unroll = 0;  // 0: no bound
  unsigned workers = 1;
  std::string solver = "sat";  // "sat" or "z3"
  bool everyAccessIsEvent = false;
  bool diagnose = false;           // cores, explanations and plans of the findings, after the verdict
  bool summarizeAccesses = false;  // fill Report::accesses
  bool smallWitnesses =
      true;  // replay findings until their schedules are small; for reports that people read
  /// Where the text does not define `entry`: the title of a generated harness to begin in, or kBestHarness;
  /// empty: none. Who calls analyze and replay makes it (server/harness_engine.h).
  std::string harness;
  /// Joint states that a program like this one has been decided by; 0: not known. They are searched at once.
  uint64_t expectedStates = 0;
  std::string checkpoint;  // a file that takes every run, and from which to go on; empty: none
  bool operator==(const Options&) const = default;
};

struct Progress {
  uint64_t executions = 0;
  uint64_t paths = 0;
  uint64_t openLeaves = 0;
};

/// Called on the analysing thread, as things happen.
struct Observer {
  std::function<void(const Finding&)> finding = [](const Finding&) {};
  std::function<void(const Progress&)> progress = [](const Progress&) {};
};

Report analyze(const Snapshot& snapshot, const Options& options, const Budget& budget,
               const Observer& observer = {});

struct ReplayResult {
  bool ok = false;    // the schedule could be followed to its end
  std::string error;  // else: the first divergence, or why nothing ran
  std::vector<Step> steps;
  std::vector<ThreadDescription> threads;
  std::vector<InputValue> inputs;
  std::vector<Finding> failures;  // kind, message, place
  std::string output;             // what the program printed
};

/// Runs one schedule (with the inputs it carries) again. `schedule`: see Schedule.
ReplayResult replay(const Snapshot& snapshot, const Options& options, const std::string& schedule,
                    const Budget& budget);

struct UnknownCalls {
  std::vector<UnknownCall> calls;  // by name
  std::string problem;             // not empty: why the program could not be looked at
  SourcePlace problemPlace;
};

/// The functions that a program calls and that are neither defined nor modelled: from `entry` on, or in all
/// of its functions where there is none of that name. Nothing is explored.
UnknownCalls findUnknownCalls(const Snapshot& snapshot, const std::string& entry);

/// Whether the file of the snapshot (without its units), compiled, defines a function of that name; nullopt:
/// it does not compile.
std::optional<bool> definesFunction(const Snapshot& snapshot, const std::string& name);

}  // namespace heddle
