#include "analysis/pipeline/sequential_run.h"

#include <memory>

#include "analysis/interp/core/machine.h"
#include "analysis/interp/schedulers/random.h"
#include "analysis/interp/schedulers/round_robin.h"
#include "analysis/pipeline/prepare.h"

namespace heddle {
namespace {

class GivenInputs : public EventSink {
 public:
  GivenInputs(const Names& names, const std::map<std::string, std::vector<int64_t>>& inputs)
      : names_(names), inputs_(inputs) {}
  Value input(const InputRequest& request) override {
    const auto it = inputs_.find(inputLabel(names_.label(request.thread), request.memoryOperation));
    if (it == inputs_.end() || request.ordinal >= it->second.size()) return {};
    return {static_cast<uint64_t>(it->second[request.ordinal]) & widthMask(request.width), kNoTerm};
  }
  bool isReplay() const override { return true; }  // nothing happens by itself

 private:
  const Names& names_;
  const std::map<std::string, std::vector<int64_t>>& inputs_;
};

}  // namespace

SequentialRun runSequentially(const Snapshot& snapshot, const Options& options,
                              const std::map<std::string, std::vector<int64_t>>& inputs,
                              std::optional<uint64_t> seed, const Budget& budget) {
  SequentialRun run;
  const PreparedProgram prepared =
      prepare(snapshot, options.entry, options.properties.count(Property::Overflow) > 0);
  if (!prepared.program) {
    run.problem = prepared.problem;
    return run;
  }
  Names names(prepared.program->pointerBits());
  Locations locations(true);
  MachineOptions machineOptions;
  machineOptions.entry = prepared.entry;
  machineOptions.recordTrace = false;
  machineOptions.maxEvents = 200'000;
  machineOptions.unroll = options.unroll;
  RunResult result;
  // A cell that is accessed in parts is cut only when the first part is seen; the run that finds out is void.
  constexpr int kMostRuns = 64;
  for (int i = 0; i < kMostRuns; ++i) {
    TermTable terms;
    GivenInputs sink(names, inputs);
    std::unique_ptr<Scheduler> scheduler = std::make_unique<RoundRobinScheduler>();
    if (seed) scheduler = std::make_unique<RandomScheduler>(*seed);
    Machine machine({*prepared.program, names, terms, locations}, machineOptions, *scheduler, sink, budget);
    result = machine.run();
    if (result.outcome != RunOutcome::Relearned) break;
    locations.restart();
  }
  if (result.outcome != RunOutcome::Quiescent) {
    run.problem = result.outcome == RunOutcome::Unsupported ? "unsupported: " + result.unsupported
                                                            : "the run did not end";
    return run;
  }
  run.ran = true;
  run.output = result.output;
  if (!result.failures.empty())
    run.failure = result.failures.front().message;
  else if (!result.blocked.empty() && !result.processExited)
    run.failure = names.label(result.blocked.front().thread) + " waits for ever";
  run.passed = run.failure.empty();
  return run;
}

}  // namespace heddle
