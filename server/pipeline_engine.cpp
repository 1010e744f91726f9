#include "analysis/pipeline/replay_each.h"
#include "server/engine.h"
#include "server/harness_engine.h"

namespace heddle {

Engine pipelineEngine() {
  return withGeneratedHarnesses(
      {analyze,
       replay,
       findCompileCommand,
       commandFromFlags,
       [](const Snapshot& snapshot, const Options& options, const Report& report, const std::string& only,
          const Budget& budget) { return repairFindings(snapshot, options, report, only, budget); },
       replayEach,
       {},
       definesFunction,
       {},
       findUnknownCalls});
}

}  // namespace heddle
