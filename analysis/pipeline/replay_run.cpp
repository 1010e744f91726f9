#include "analysis/pipeline/replay_run.h"

#include "analysis/interp/schedulers/replay.h"

namespace heddle {

namespace {

/// Feeds the schedule's inputs, and remembers the last accesses.
class ReplaySink : public EventSink {
 public:
  ReplaySink(const Names& names, const Schedule& schedule) : names_(names), schedule_(schedule) {}

  Value input(const InputRequest& request) override {
    const auto it = schedule_.inputs.find(names_.label(request.thread));
    if (it == schedule_.inputs.end() || request.ordinal >= it->second.size()) return {};
    return {static_cast<uint64_t>(it->second[request.ordinal]) & widthMask(request.width), kNoTerm};
  }

 private:
  const Names& names_;
  const Schedule& schedule_;
};

}  // namespace

ReplayRun replayRun(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget) {
  ReplayRun run;
  run.names = std::make_unique<Names>(program.pointerBits());
  TermTable terms;
  Locations locations(true);
  ReplaySink sink(*run.names, schedule);
  ReplayScheduler scheduler(schedule, *run.names);
  MachineOptions options;
  options.entry = entry;
  options.stopAtFailure = true;
  Machine machine({program, *run.names, terms, locations}, options, scheduler, sink, budget);
  run.result = machine.run();
  run.divergence = scheduler.divergence();
  if (run.divergence.empty() && run.result.outcome == RunOutcome::Unsupported)
    run.divergence = "unsupported: " + run.result.unsupported;
  if (run.divergence.empty() && run.result.outcome == RunOutcome::OutOfBudget)
    run.divergence = "the run did not end within the budget";
  return run;
}

}  // namespace heddle
