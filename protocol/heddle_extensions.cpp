#include "protocol/heddle_extensions.h"

#include "protocol/field.h"

namespace heddle::lsp {

HeddleClient heddleClientOf(const json& experimental) {
  return {valueAt(experimental, "heddle/status") == true,
          valueAt(experimental, "heddle/interleavingPanel") == true,
          valueAt(experimental, "heddle/coverage") == true, valueAt(experimental, "heddle/debugger") == true};
}

HEDDLE_LSP_FIELDS(StatusParams, uri, version, state, text, entry, paths, executions, open, findings,
                  suppressed, stale, bounds, assumptions, commandSource, commandGuessed, safeRun)
HEDDLE_LSP_FIELDS(InterleavingParams, textDocument, finding)
HEDDLE_LSP_FIELDS(InterleavingThread, label, function)
HEDDLE_LSP_FIELDS(InterleavingStep, thread, kind, text, object, value, location, core)
HEDDLE_LSP_FIELDS(InterleavingEdge, from, to, kind, core)
HEDDLE_LSP_FIELDS(InterleavingBar, thread, from, to, object)
HEDDLE_LSP_FIELDS(InterleavingExecution, name, steps, edges, bars, inputs)
HEDDLE_LSP_FIELDS(Interleaving, finding, kind, message, uri, version, stale, threads, executions, schedule,
                  replay, arguments, files, options, text)
HEDDLE_LSP_FIELDS(CoverageSide, side, state, schedules, failure)
HEDDLE_LSP_FIELDS(CoverageBranch, location, function, state, text, sides)
HEDDLE_LSP_FIELDS(CoverageFunction, location, name, schedules)
HEDDLE_LSP_FIELDS(CoverageSchedule, schedule, replay, fails)
HEDDLE_LSP_FIELDS(Coverage, uri, version, covered, cannotBe, open, text, limits, branches, functions, suite)

}  // namespace heddle::lsp
