#include "analysis/interp/core/execution_part.h"

#include "analysis/interp/core/execution.h"

namespace heddle {

ExecutionPart::ExecutionPart(Execution& run)
    : run_(run),
      program_(run.program),
      names_(run.names),
      terms_(run.terms),
      locations_(run.locations),
      memory_(run.memory),
      options_(run.options) {}

}  // namespace heddle
