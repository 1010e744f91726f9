#include "analysis/pipeline/replay_each.h"
#include "server/engine.h"

namespace heddle {

Engine pipelineEngine() {
  return {analyze,
          replay,
          findCompileCommand,
          commandFromFlags,
          [](const Snapshot& snapshot, const Options& options, const Report& report, const std::string& only,
             const Budget& budget) { return repairFindings(snapshot, options, report, only, budget); },
          replayEach,
          {},
          definesFunction};
}

}  // namespace heddle
