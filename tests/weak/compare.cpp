#include "tests/weak/compare.h"

#include "analysis/explore/weak/weak_search.h"
#include "analysis/interp/schedulers/replay.h"
#include "analysis/interp/weak/graph_model.h"
#include "analysis/pipeline/prepare.h"

namespace heddle::weak {

namespace {

MemoryModelKind kindOf(Model model) {
  return static_cast<MemoryModelKind>(model);
}
static_assert(static_cast<int>(Model::C11) == static_cast<int>(MemoryModelKind::C11) &&
              static_cast<int>(Model::Tso) == static_cast<int>(MemoryModelKind::Tso));

/// Compiled once for all models and replays: that is most of the time of a small program.
const PreparedProgram& prepared(const LitmusProgram& program) {
  static std::string known;
  static PreparedProgram result;
  const std::string text = textOf(program);
  if (text == known) return result;
  Snapshot snapshot;
  snapshot.path = "/nowhere/litmus.c";
  snapshot.text = known = text;
  snapshot.command = commandFromFlags(snapshot.path, {});
  return result = prepare(snapshot, "main");
}

/// The numbers of the globals that are registers and locations, as outcomes list them.
std::vector<uint32_t> finalsOf(const LitmusProgram& litmus, const Program& program) {
  std::vector<uint32_t> finals;
  const auto add = [&](const std::string& name) {
    for (uint32_t i = 0; i < program.globals.size(); ++i)
      if (program.globals[i].name == name) finals.push_back(i);
  };
  for (int i = 0; i < litmus.registers; ++i) add("r" + std::to_string(i));
  for (int i = 0; i < litmus.locations; ++i) add("x" + std::to_string(i));
  for (size_t i = 0; i < litmus.inputs.size(); ++i) add("n" + std::to_string(i));
  return finals;
}

Outcome outcomeOf(const std::vector<uint64_t>& values) {
  Outcome outcome;
  for (const uint64_t value : values) outcome.push_back(static_cast<int>(value));
  return outcome;
}

std::string textOf(const Outcome& outcome) {
  std::string text;
  for (const int value : outcome) text += (text.empty() ? "" : " ") + std::to_string(value);
  return "[" + text + "]";
}

}  // namespace

EngineAnswer askEngine(const LitmusProgram& litmus, Model model) {
  EngineAnswer answer;
  const PreparedProgram& program = prepared(litmus);
  if (!program.program) {
    answer.problem = program.problem;
    return answer;
  }
  WeakOptions options;
  options.entry = program.entry;
  options.model = kindOf(model);
  options.finals = finalsOf(litmus, *program.program);
  const WeakResult result =
      searchWeakly(*program.program, options, Budget().withSteps(50'000'000), [&](const WeakWitness& found) {
        if (found.kind == WeakKind::Race)
          answer.outcomes.hasRace = true;
        else
          answer.problem = "a failure or a deadlock";
      });
  if (!result.complete) answer.problem = "not complete: " + result.problem.text + result.unsupported;
  if (!result.bounds.empty()) answer.problem = "a bound";
  for (const auto& [values, schedule] : result.outcomes) {
    answer.outcomes.all.insert(outcomeOf(values));
    answer.schedules[outcomeOf(values)] = schedule.toString();
  }
  return answer;
}

Outcome replayOutcome(const LitmusProgram& litmus, const std::string& text) {
  const PreparedProgram& program = prepared(litmus);
  std::string error;
  const std::optional<Schedule> schedule = Schedule::parse(text, error);
  if (!program.program || !schedule || !schedule->model) return {};
  Names names(program.program->pointerBits());
  Locations locations(true);
  EventSink sink;
  const Budget budget = Budget().withSteps(1'000'000);
  MachineOptions options;
  options.entry = program.entry;
  options.finals = finalsOf(litmus, *program.program);
  for (int run = 0; run < 8; ++run) {
    TermTable terms;
    GraphModel model(*schedule->model, names, locations);
    options.memoryModel = &model;
    ReplayScheduler scheduler(names, *schedule);
    Machine machine({*program.program, names, terms, locations}, options, scheduler, sink, budget);
    const RunResult result = machine.run();
    if (result.outcome == RunOutcome::Relearned) {
      locations.restart();
      continue;
    }
    if (!scheduler.divergence().empty() || result.outcome != RunOutcome::Quiescent) return {};
    return outcomeOf(result.finals);
  }
  return {};
}

std::string compare(const LitmusProgram& program, Model model) {
  const Outcomes expected = enumerate(program, model);
  const EngineAnswer answer = askEngine(program, model);
  if (!answer.problem.empty()) return std::string(nameOf(model)) + ": undecided: " + answer.problem + "\n";
  std::string text;
  if (expected.hasRace != answer.outcomes.hasRace)
    text += std::string(nameOf(model)) + (expected.hasRace ? ": race not found\n" : ": false race\n");
  // A program with a race means nothing in C11.
  if (model == Model::C11 && expected.hasRace) return text;
  for (const Outcome& outcome : expected.all)
    if (!answer.outcomes.all.contains(outcome))
      text += std::string(nameOf(model)) + ": missing " + textOf(outcome) + "\n";
  for (const Outcome& outcome : answer.outcomes.all)
    if (!expected.all.contains(outcome))
      text += std::string(nameOf(model)) + ": too many " + textOf(outcome) + "\n";
  return text;
}

}  // namespace heddle::weak
