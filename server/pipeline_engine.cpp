#include <exception>
#include <memory>

#include "analysis/compile/inferred_flags.h"
#include "analysis/enforce/enforced_program.h"
#include "analysis/pipeline/cover.h"
#include "analysis/pipeline/replay_each.h"
#include "analysis/survey/guards.h"
#include "server/engine.h"
#include "server/harness_engine.h"
#include "server/native/native_build.h"
#include "server/saved/saved_engine.h"
#include "server/source/chosen_entry.h"

namespace heddle {

namespace {

/// One exploration that goes wrong must not take the others of a scan with it.
Report analyzeGuarded(const Snapshot& snapshot, const Options& options, const Budget& budget,
                      const Observer& observer) {
  try {
    return analyze(snapshot, options, budget, observer);
  } catch (const std::exception& error) {
    return internalError(snapshot.path, error.what());
  }
}

/// Who wants to know about accesses gets the locks that guard them, too.
Report analyzeWithGuards(const Snapshot& snapshot, const Options& options, const Budget& budget,
                         const Observer& observer) {
  Report report = analyzeGuarded(snapshot, options, budget, observer);
  if (options.summarizeAccesses && !report.accesses.empty()) report.guards = guardsOf(snapshot, report);
  return report;
}

}  // namespace

Report internalError(const std::string& path, const std::string& what) {
  Report report;
  report.file = path;
  report.verdict = Verdict::Incomplete;
  report.problem = toText({ProblemKind::Ours, what});
  report.problemKind = ProblemKind::Ours;
  return report;
}

Engine pipelineEngine() {
  // Saved findings within: what a harness makes only possible stays so when it fails again.
  return withChosenEntries(withGeneratedHarnesses(withSavedFindings(
      {analyzeWithGuards,
       replay,
       [inferred = std::make_shared<InferredFlags>()](const std::string& path, std::string* problem) {
         return findCompileCommand(path, problem, inferred.get());
       },
       commandFromFlags,
       [](const Snapshot& snapshot, const Options& options, const Report& report, const std::string& only,
          const Budget& budget) {
         return repairForCallers(
             snapshot, options, report, only, budget, {}, {},
             {[&options](const Snapshot& before, const Snapshot& after, const Finding& finding,
                         const Budget& part) {
                return checkOtherUses(before, after, finding, options, part);
              },
              [&options](const Snapshot& after, const MendedUse& use, const Budget& part) {
                return failsInUse(after, use, options, part);
              }});
       },
       replayEach,
       {},
       definesFunction,
       {},
       findUnknownCalls,
       [](const Snapshot& snapshot, const Options& options, const std::string& schedule, Property kind,
          const Budget& budget) { return reproducer(snapshot, options, schedule, kind, budget); },
       [](const Snapshot& snapshot, const Options& options, const Budget& budget) {
         return findEnforcement(snapshot, options, budget);
       },
       [](const Snapshot& snapshot, const Options& options, const Prefix& prefix) {
         return enforcedProgram(snapshot, options, prefix);
       },
       buildNative,
       cover})));
}

}  // namespace heddle
