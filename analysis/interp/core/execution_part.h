// ExecutionPart: what each part of a run works with. A part owns the data of its subject, and reaches the
// other parts through the run.
//
// Threading: as the run.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/interp/core/event_sink.h"
#include "analysis/interp/core/machine.h"
#include "analysis/interp/core/memory.h"
#include "analysis/interp/core/thread_state.h"

namespace heddle {

class Execution;

class ExecutionPart {
 public:
  ExecutionPart(const ExecutionPart&) = delete;
  ExecutionPart& operator=(const ExecutionPart&) = delete;

 protected:
  explicit ExecutionPart(Execution& run);
  ~ExecutionPart() = default;

  Execution& run_;  // which outlives it
  const Program& program_;
  Names& names_;
  TermTable& terms_;
  Locations& locations_;
  Memory& memory_;
  const MachineOptions& options_;
};

}  // namespace heddle
