// Engine: what the server and the command line need of the analysis, as functions. The real one is
// pipelineEngine(); tests pass their own, and so hold, count or script analyses without sleeping.
//
// Threading: the functions are called from worker threads, several at once; they must not share
// unsynchronized state.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/enforce/native_program.h"
#include "analysis/enforce/relax.h"
#include "analysis/pipeline/cover.h"
#include "analysis/pipeline/pipeline.h"
#include "analysis/repair/repair.h"
#include "server/source/generated_harness.h"

namespace heddle {

struct Engine {
  std::function<Report(const Snapshot&, const Options&, const Budget&, const Observer&)> analyze;
  std::function<ReplayResult(const Snapshot&, const Options&, const std::string&, const Budget&)> replay;
  /// `problem` is set to one line when a compile database is damaged.
  std::function<CompileCommand(const std::string& path, std::string* problem)> findCommand;
  std::function<CompileCommand(const std::string& path, const std::vector<std::string>& flags)>
      commandFromFlags;
  /// Verified patches for the findings of a report that has its accesses; `only`: one finding's id, empty:
  /// all.
  std::function<RepairResult(const Snapshot&, const Options&, const Report&, const std::string& only,
                             const Budget&)>
      repair = {};
  /// As `replay`, for several schedules of one program; none: `replay` is called for each.
  std::function<void(const Snapshot&, const Options&, const std::vector<std::string>& schedules,
                     const Budget&, const std::function<void(size_t index, const ReplayResult&)>& seen)>
      replayEach = {};
  /// Bytes that other processes hold for these functions; none: there are no such processes.
  std::function<uint64_t()> residentMemory = {};
  /// Whether the snapshot's own file, compiled, defines a function of that name; nullopt: it does not
  /// compile.
  std::function<std::optional<bool>(const Snapshot&, const std::string& name)> definesFunction = {};
  /// What the snapshot's own file offers to begin in, where it does not define `entry`.
  std::function<HarnessPlan(const Snapshot&, const std::string& entry, const Budget&)> harnesses = {};
  std::function<UnknownCalls(const Snapshot&, const std::string& entry)> unknownCalls = {};
  /// The native program that takes the schedule of a finding, and fails.
  std::function<NativeProgram(const Snapshot&, const Options&, const std::string& schedule, Property kind,
                              const Budget&)>
      reproducer = {};
  /// Constraints under which the program is safe to run.
  std::function<Enforcement(const Snapshot&, const Options&, const Budget&)> constrain = {};
  /// The native program that keeps to them.
  std::function<NativeProgram(const Snapshot&, const Options&, const Prefix&)> enforced = {};
  /// Makes an executable of a native program: empty, or what went wrong. Only on the user's request.
  std::function<std::string(const NativeProgram&, const std::string& output,
                            const std::vector<std::string>& compilerOptions)>
      build = {};
  /// Which sides of branches schedules and inputs can take.
  std::function<CoverReport(const Snapshot&, const Options&, const Budget&, const CoverObserver&)> cover = {};
  /// Which of the entries of a database for the file, the command's own and its others, is the command.
  std::function<CompileCommand(const std::string& path, CompileCommand found)> chooseEntry = {};
};

Engine pipelineEngine();

/// The report of an analysis that went wrong in a way that it must not: `what` is the error.
Report internalError(const std::string& path, const std::string& what);

}  // namespace heddle
