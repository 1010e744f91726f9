#include "analysis/explore/run/exploration.h"

#include <algorithm>
#include <chrono>

#include "analysis/explore/run/journal.h"

namespace heddle {

namespace {

/// splitmix64: a small generator whose whole state is its seed.
uint64_t nextRandom(uint64_t& state) {
  uint64_t z = (state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

}  // namespace

Schedule scheduleOf(const Names& names, const std::vector<TraceEntry>& trace, size_t length,
                    const std::vector<UsedInput>& inputs) {
  Schedule schedule;
  std::map<ThreadId, uint64_t> done;
  for (size_t i = 0; i < length && i < trace.size(); ++i) {
    const TraceEntry& entry = trace[i];
    uint64_t& count = done[entry.thread];
    if (entry.operation <= count) continue;  // start and end count no operation
    const uint64_t operations = entry.operation - count;
    count = entry.operation;
    const std::string label = names.label(entry.thread);
    if (!schedule.segments.empty() && schedule.segments.back().thread == label)
      schedule.segments.back().operations += operations;
    else
      schedule.segments.push_back({label, operations});
  }
  for (const UsedInput& input : inputs) {
    std::vector<int64_t>& values =
        schedule.inputs[inputLabel(names.label(input.thread), input.memoryOperation)];
    if (values.size() <= input.listed) values.resize(input.listed + 1, 0);
    values[input.listed] =
        input.isSigned ? signExtend(input.bits, input.width) : static_cast<int64_t>(input.bits);
  }
  return schedule;
}

uint64_t FixedInputs::value(const InputRequest& request, NodeId) {
  const auto it = values_.find(inputLabel(names_.label(request.thread), request.memoryOperation));
  if (it == values_.end() || request.ordinal >= it->second.size()) return 0;
  return static_cast<uint64_t>(it->second[request.ordinal]);
}

uint64_t RandomInputs::value(const InputRequest& request, NodeId) {
  // Small numbers reach most branches of real programs; the rest is the solver's work.
  const uint64_t random = nextRandom(state_);
  switch (random % 4) {
    case 0:
      return 0;
    case 1:
      return 1;
    case 2:
      return (random >> 8) % 16;
    default:
      return (random >> 8) & widthMask(request.width);
  }
}

Runner::Runner(const Program& program, const ExploreOptions& options, bool everyAccessIsEvent,
               const ExploreCallbacks& callbacks)
    : program_(program),
      options_(options),
      callbacks_(callbacks),
      names_(program.pointerBits()),
      locations_(everyAccessIsEvent),
      builder_(forest_, {names_, terms_, locations_}) {
  builder_.setMerging(options.mergePaths);
}

Problem Runner::whyMissed(const std::string& text) const {
  // Where terms are dropped, a model need not be an execution.
  if (droppedTerm_)
    return {ProblemKind::Program,
            "a value that is only known from one execution decides what another one does (see the "
            "assumptions)"};
  if (last_.outcome != RunOutcome::Failed) return {ProblemKind::Ours, text};
  return {ProblemKind::Program, "not explored: what comes behind a failure that ends the execution: " +
                                    last_.failures.back().message};
}

Runner::Outcome Runner::run(Scheduler& scheduler, InputSource& inputs, const Budget& budget) {
  if (!options_.journal) return execute(scheduler, inputs, budget);
  RecordedRun record;
  RecordingScheduler recordingScheduler(scheduler, record);
  RecordingInputs recordingInputs(inputs, record);
  const Outcome outcome = execute(recordingScheduler, recordingInputs, budget);
  // A run that the budget cut short would be another run with another budget.
  if (outcome != Outcome::Ended && !options_.journal->append(record) && !result_.problem)
    result_.problem = {ProblemKind::Checkpoint,
                       "the checkpoint cannot be written: free some space, or name another file"};
  return outcome;
}

bool Runner::resume(const Budget& budget) {
  if (!options_.journal) return true;
  for (const RecordedRun& record : options_.journal->runs()) {
    RecordedScheduler scheduler(record);
    RecordedInputs inputs(record);
    if (execute(scheduler, inputs, budget) == Outcome::Ended) return false;
    if (scheduler.diverged() && !result_.problem)
      result_.problem = {ProblemKind::Checkpoint, "the program does not follow the checkpoint: remove it"};
  }
  return true;
}

Runner::Outcome Runner::execute(Scheduler& scheduler, InputSource& inputs, const Budget& budget) {
  MachineOptions machineOptions;
  machineOptions.entry = options_.entry;
  machineOptions.unroll = options_.unroll;
  machineOptions.rounds = options_.rounds;
  if (options_.rounds != 0) {
    // A recursion is a loop, and so is making threads.
    machineOptions.maxCallDepth = 64 + 4 * options_.rounds;
    machineOptions.maxThreads = 1 + 2 * options_.rounds;
    // Each size is an object of its own, and what fills it or walks over it is cut after a few elements.
    machineOptions.maxInputSize = 16 + 16 * options_.rounds;
  }
  machineOptions.maxEvents = options_.maxRunEvents;
  machineOptions.branchEdges = branchEdges_;
  machineOptions.cutsCounted = options_.cutsCounted;
  machineOptions.reach = options_.reach;
  const auto started = std::chrono::steady_clock::now();
  builder_.begin(inputs);
  Machine machine({program_, names_, terms_, locations_}, machineOptions, scheduler, builder_, budget);
  last_ = machine.run();
  result_.stats.interpSeconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  ++result_.stats.executions;
  usedInputs_ |= !last_.inputs.empty();
  result_.stats.events += last_.events;
  result_.stats.rounds = std::max(result_.stats.rounds, last_.rounds);
  budget.spend(last_.events + 1);
  if (last_.outcome == RunOutcome::Relearned) {
    ++result_.stats.restarts;
    locations_.restart();
    emptyForest();
    return Outcome::Restarted;
  }
  // Its nodes are not what it did, so nothing may read them: neither detectors nor later runs.
  if (!builder_.divergences().empty()) {
    learn(last_);
    if (!result_.problem) result_.problem = whyMissed(builder_.divergences().front());
    emptyForest();
    return Outcome::Ended;
  }
  // A run that was stopped on the way has no global path of its own.
  if (last_.outcome == RunOutcome::Quiescent) builder_.finish();
  result_.paths = builder_.distinctPaths();
  if (const StopReason stop = budget.check(); stop != StopReason::None) {
    result_.stop = stop;
    learn(last_);
    return Outcome::Ended;
  }
  learn(last_);
  callbacks_.merged();
  return Outcome::Merged;
}

Runner::Outcome Runner::follow(Scheduler& scheduler, InputSource& inputs, const Budget& budget) {
  if (!options_.fixedInputs) return run(scheduler, inputs, budget);
  FixedInputs fixed(names_, *options_.fixedInputs);
  return run(scheduler, fixed, budget);
}

void Runner::emptyForest() {
  ++timesEmptied_;
  builder_.reset();
}

void Runner::reportStuck() {
  const RunResult& run = last_;
  StuckRun stuck;
  for (ThreadId thread = 0; thread < names_.threadCount(); ++thread) {
    const NodeId at = builder_.position(thread);
    if (at == kNone) continue;
    const auto blocked = std::find_if(run.blocked.begin(), run.blocked.end(),
                                      [&](const Event& e) { return e.thread == thread; });
    if (blocked == run.blocked.end()) {
      stuck.ended.push_back(at);
      continue;
    }
    NodeId pending = builder_.awaitedRead(thread, blocked->place);
    if (pending == kNone) pending = builder_.pending(thread);
    if (pending == kNone) return;  // the sink was told nothing of it
    stuck.waiting.push_back(pending);
  }
  stuck.schedule = scheduleOf(names_, run.trace, run.trace.size(), run.inputs);
  stuck.inputs = run.inputs;
  stuck.trace = run.trace;
  callbacks_.stuck(stuck);
}

void Runner::learn(const RunResult& run) {
  if (run.outcome == RunOutcome::Quiescent && run.stuck && builder_.divergences().empty()) reportStuck();

  result_.bounds.insert(run.bounds.begin(), run.bounds.end());
  result_.misuseBounds.insert(run.misuseBounds.begin(), run.misuseBounds.end());
  droppedTerm_ |= run.droppedTerm;
  for (const auto& assumption : run.assumptions) result_.assumptions.insert(assumption);
  // With budget left, it was the limit of one run that ended it.
  if (run.outcome == RunOutcome::OutOfBudget && result_.stop == StopReason::None)
    result_.bounds.insert(run.events >= options_.maxRunEvents
                              ? Bound{BoundKind::RunEvents, kNone, options_.maxRunEvents}
                              : Bound{BoundKind::RunInstructions, kNone, MachineOptions{}.maxInstructions});
  if (run.outcome == RunOutcome::Unsupported && result_.unsupported.empty()) {
    result_.unsupported = run.unsupported;
    result_.unsupportedPlace = run.unsupportedPlace;
  }
  for (const Failure& failure : run.failures) {
    if (!seen_.emplace(failure.kind, failure.place, failure.message).second) continue;
    Witness witness{
        failure,
        scheduleOf(names_, run.trace, failure.traceLength, run.inputs),
        run.inputs,
        {run.trace.begin(), run.trace.begin() + static_cast<std::ptrdiff_t>(failure.traceLength)}};
    result_.witnesses.push_back(witness);
    callbacks_.witness(witness);
  }
}

}  // namespace heddle
