#include "analysis/pipeline/outcomes.h"

#include <algorithm>
#include <set>

#include "analysis/explore/weak/weak_search.h"
#include "analysis/pipeline/prepare.h"
#include "analysis/pipeline/replay_run.h"

namespace heddle {

namespace {

int64_t numberOf(uint64_t bits, uint64_t size) {
  const auto width = static_cast<unsigned>(std::min<uint64_t>(size, 8) * 8);
  return width == 64 ? static_cast<int64_t>(bits) : signExtend(bits & widthMask(width), width);
}

}  // namespace

OutcomeReport findOutcomes(const Snapshot& snapshot, const Options& options,
                           const std::vector<std::string>& finals, const Budget& budget) {
  OutcomeReport report;
  const PreparedProgram prepared = prepare(snapshot, options.entry);
  if (!prepared.program) {
    report.problem = prepared.problem;
    return report;
  }
  const Program& program = *prepared.program;
  WeakOptions weak;
  weak.entry = prepared.entry;
  weak.model = options.memoryModel;
  weak.unroll = options.unroll;
  for (const std::string& name : finals) {
    const auto global =
        std::find_if(program.globals.begin(), program.globals.end(),
                     [&](const GlobalVariable& g) { return g.name == name && g.size != 0 && g.size <= 8; });
    if (global == program.globals.end()) {
      report.problem = "no global variable '" + name + "' of at most 8 bytes";
      return report;
    }
    weak.finals.push_back(static_cast<uint32_t>(global - program.globals.begin()));
  }
  std::set<std::string> failures;
  bool hasRace = false;
  const WeakResult result = searchWeakly(program, weak, budget, [&](const WeakWitness& witness) {
    if (witness.kind == WeakKind::Failure) failures.insert(witness.failure.message);
    if (witness.kind == WeakKind::Stuck) failures.insert("threads wait for ever");
    hasRace |= witness.kind == WeakKind::Race;
  });
  if (hasRace) failures.insert("data race");
  report.failures.assign(failures.begin(), failures.end());
  for (const auto& [values, schedule] : result.outcomes) {
    ProgramOutcome outcome;
    for (size_t i = 0; i < values.size(); ++i)
      outcome.values.push_back(numberOf(values[i], program.globals[weak.finals[i]].size));
    outcome.schedule = schedule.toString();
    const ReplayRun again = replayRun(program, prepared.entry, schedule, budget, weak.finals);
    if (!again.divergence.empty() || again.result.finals != values) {
      report.problem = "an outcome does not replay: " + outcome.schedule +
                       (again.divergence.empty() ? "" : ": " + again.divergence);
      return report;
    }
    report.outcomes.push_back(std::move(outcome));
  }
  report.complete = result.complete && result.bounds.empty();
  if (report.complete) return report;
  report.problem = result.problem                ? result.problem.text
                   : !result.unsupported.empty() ? result.unsupported
                                                 : "not every execution was visited within the budget";
  return report;
}

}  // namespace heddle
