// Pipeline: the only entrance to the analysis. Both the command line and the language server call it.
//
// analyze(snapshot, options, budget, observer) → Report. Runs on the calling thread (and, with workers > 1,
// on threads it owns and joins), touches no global state, runs no code of the user, and
// reads files but writes none except Options::checkpoint. It never throws; every failure is a verdict in the
// report.
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

/// A further source file of a program.
struct Unit {
  std::string path;  // absolute
  std::string text;  // an overlay of that path takes precedence
  CompileCommand command;
};

/// An immutable copy of everything that is to be analysed.
struct Snapshot {
  std::string path;                             // absolute
  std::string text;                             // text of `path`, possibly unsaved
  std::map<std::string, std::string> overlays;  // unsaved texts of other files, by absolute path
  CompileCommand command;
  Environment environment;
  std::vector<Unit> units;  // linked to the file at `path`
  /// Use only the units that define something which is used and not defined elsewhere.
  bool onlyNeededUnits = false;
  /// If set, no header changes between explorations by one thread, so each unit is compiled only once.
  bool filesAreFixed = false;
  /// Which units are linked follows from what a look at the file tells, so a look leaves none of them out.
  bool unitsFollow = false;
};

/// The names that Options::strategy may begin with: "forest", "mpc-s1", ….
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
      true;  // shrink the schedules of findings by replaying them; for reports that people read
  /// If the text does not define `entry`: the title of a generated harness to begin in, or kBestHarness;
  /// empty: none. The callers of analyze and replay make the harness (server/harness_engine.h).
  std::string harness;
  /// The number of joint states with which a similar program was decided; 0: not known. A search of so many
  /// states is tried at once.
  uint64_t expectedStates = 0;
  /// Path of a file that records every run and from which an exploration resumes; empty: none.
  std::string checkpoint;
  bool operator==(const Options&) const = default;
};

struct Progress {
  uint64_t executions = 0;
  uint64_t paths = 0;
  uint64_t openLeaves = 0;
};

/// Callbacks, called on the analysing thread as things happen.
struct Observer {
  std::function<void(const Finding&)> finding = [](const Finding&) {};
  std::function<void(const Progress&)> progress = [](const Progress&) {};
};

Report analyze(const Snapshot& snapshot, const Options& options, const Budget& budget,
               const Observer& observer = {});

struct ReplayResult {
  bool ok = false;    // the schedule could be followed to its end
  std::string error;  // if not ok: the first divergence, or why nothing ran
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
  std::string problem;             // why the program could not be examined; empty: it was
  SourcePlace problemPlace;
};

/// The functions that a program calls but that are neither defined nor modelled. It looks at the functions
/// that `entry` can reach, or at all functions if there is none of that name. Nothing is explored.
UnknownCalls findUnknownCalls(const Snapshot& snapshot, const std::string& entry);

/// Whether the file of the snapshot (without its units) defines a function of that name when it is
/// compiled; nullopt: it does not compile.
std::optional<bool> definesFunction(const Snapshot& snapshot, const std::string& name);

}  // namespace heddle
