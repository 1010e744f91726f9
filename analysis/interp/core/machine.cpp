#include "analysis/interp/core/machine.h"

#include "analysis/interp/core/execution.h"

namespace heddle {

class Machine::Impl : public Execution {
 public:
  using Execution::Execution;
};

Machine::Machine(MachineContext context, const MachineOptions& options, Scheduler& scheduler, EventSink& sink,
                 const Budget& budget)
    : impl_(std::make_unique<Impl>(context, options, scheduler, sink, budget)) {}

Machine::~Machine() = default;

RunResult Machine::run() {
  return impl_->run();
}

}  // namespace heddle
