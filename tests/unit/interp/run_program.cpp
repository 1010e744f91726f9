#include "tests/unit/interp/run_program.h"

#include <gtest/gtest.h>

#include "analysis/interp/schedulers/random.h"
#include "analysis/interp/schedulers/replay.h"
#include "analysis/interp/schedulers/round_robin.h"
#include "tests/unit/interp/compile_text.h"

namespace heddle::test {

Term CheckingSink::fresh(uint64_t bits, unsigned width) {
  const Term symbol = terms_.symbol(width);
  values_.resize(terms_.symbolCount());
  values_.back() = bits;
  return symbol;
}

void CheckingSink::check(Term term, uint64_t bits) {
  if (term == kNoTerm) return;
  EXPECT_EQ(terms_.evaluate(term, values_), bits & widthMask(terms_.width(term))) << terms_.toString(term);
}

void CheckingSink::start(const Event&, Value& argument) {
  check(argument.term, argument.bits);
}

void CheckingSink::read(const Event& event, std::span<Value> values) {
  EXPECT_EQ(event.cells.size(), values.size());
  for (const LocationId cell : event.cells) EXPECT_TRUE(initial.count(cell)) << "initial value not reported";
  if (!symbolicReads) return;
  for (size_t i = 0; i < values.size(); ++i) {
    check(values[i].term, values[i].bits);
    values[i].term = fresh(values[i].bits, locations_.cell(event.cells[i]).size * 8);
  }
}

void CheckingSink::write(const Event& event, std::span<const Value> values) {
  EXPECT_EQ(event.cells.size(), values.size());
  for (const Value& value : values) check(value.term, value.bits);
}

const std::vector<int64_t>* CheckingSink::recorded(const InputRequest& request) const {
  if (!replayed) return nullptr;
  const auto at = replayed->inputs.find(inputLabel(names->label(request.thread), request.memoryOperation));
  return at == replayed->inputs.end() ? nullptr : &at->second;
}

Value CheckingSink::input(const InputRequest& request) {
  if (const std::vector<int64_t>* values = recorded(request)) {
    const uint64_t bits =
        request.ordinal < values->size() ? static_cast<uint64_t>((*values)[request.ordinal]) : 0;
    return {bits & widthMask(request.width), fresh(bits & widthMask(request.width), request.width)};
  }
  const auto& given = inputValues[request.thread];
  const size_t ordinal = inputsGiven_[request.thread]++;
  const uint64_t bits = ordinal < given.size() ? given[ordinal] & widthMask(request.width) : 0;
  return {bits, fresh(bits, request.width)};
}

void CheckingSink::branch(const BranchInfo& info) {
  check(info.condition, info.taken);
  branches.push_back(info);
}

void CheckingSink::choice(ThreadId, PlaceId, Term term, uint64_t bits) {
  check(term, bits);
  choices.emplace_back(term, bits);
}

std::vector<std::string> ProgramRun::trace() const {
  std::vector<std::string> lines;
  for (const TraceEntry& entry : result.trace)
    if (entry.kind != EventKind::Start && entry.kind != EventKind::End)
      lines.push_back(names->label(entry.thread) + " " + entry.text);
  return lines;
}

void runAgain(ProgramRun& r, const RunOptions& options) {
  if (options.keepKnowledge) {
    r.locations->restart();
  } else {
    r.names = std::make_unique<Names>(r.program->pointerBits());
    r.locations = std::make_unique<Locations>(options.everything);
  }
  MachineOptions machineOptions = options.machine;
  const auto entry = r.program->findFunction(options.entry);
  ASSERT_TRUE(entry.has_value());
  machineOptions.entry = *entry;
  const Budget budget = Budget::forDuration(std::chrono::seconds(30)).withSteps(options.steps);
  std::optional<Schedule> replayed;
  for (r.relearned = 0; r.relearned < 20; ++r.relearned) {
    r.terms = std::make_unique<TermTable>();
    r.sink = std::make_unique<CheckingSink>(*r.terms, *r.locations);
    r.sink->inputValues = options.inputs;
    r.sink->symbolicReads = options.symbolicReads;
    std::unique_ptr<Scheduler> scheduler = std::make_unique<RoundRobinScheduler>();
    if (options.seed) scheduler = std::make_unique<RandomScheduler>(options.seed);
    if (!options.schedule.empty()) {
      std::string error;
      replayed = Schedule::parse(options.schedule, error);
      ASSERT_TRUE(replayed) << error;
      scheduler = std::make_unique<ReplayScheduler>(*r.names, *replayed);
      r.sink->replayed = &*replayed;
      r.sink->names = r.names.get();
    }
    Machine machine({*r.program, *r.names, *r.terms, *r.locations}, machineOptions, *scheduler, *r.sink,
                    budget);
    r.result = machine.run();
    r.sink->replayed = nullptr;
    if (auto* replay = dynamic_cast<ReplayScheduler*>(scheduler.get());
        replay && r.result.outcome != RunOutcome::Relearned) {
      EXPECT_EQ(replay->divergence(), "");
    }
    if (r.result.outcome != RunOutcome::Relearned) return;
    r.locations->restart();
  }
  ADD_FAILURE() << "the run keeps learning";
}

ProgramRun run(const std::string& text, const RunOptions& options) {
  ProgramRun r;
  r.program = compileProgram(text, options.flags, options.environment);
  if (r.program) runAgain(r, options);
  return r;
}

}  // namespace heddle::test
