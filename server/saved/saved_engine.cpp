#include "server/saved/saved_engine.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "server/harness_engine.h"
#include "server/schedule/confirm_earlier.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

/// Steps of their own: what a step budget leaves to explore is the same with and without them.
constexpr uint64_t kMostSteps = 5'000'000;

Budget budgetOfSaved(const Budget& whole) {
  Budget budget;
  if (const auto deadline = whole.part(&Tuning::savedSchedules).deadline())
    budget = Budget::forDuration(
        std::max(std::chrono::milliseconds(1),
                 std::chrono::duration_cast<std::chrono::milliseconds>(*deadline - Budget::Clock::now())));
  return budget.withSteps(kMostSteps).withStop(whole.stopToken());
}

std::string fileInProject(const std::string& projectFolder, const std::string& path) {
  return fs::path(path).lexically_relative(projectFolder).generic_string();
}

/// What stands in files that are for this exploration.
struct Asked {
  std::vector<std::pair<std::string, SavedFinding>> findings;  // with their names
  std::vector<SavedRun> unreadable;
};

Asked askedOf(const Snapshot& snapshot, const Options& options) {
  Asked asked;
  const std::string file = fileInProject(projectFolderOf(snapshot.path), snapshot.path);
  for (SavedFile& each : savedBeside(snapshot.path)) {
    if (const auto* problem = std::get_if<std::string>(&each.content)) {
      SavedRun& run = asked.unreadable.emplace_back();
      run.name = each.name;
      run.why = *problem + "; save it anew, or delete it";
      continue;
    }
    auto& saved = std::get<SavedFinding>(each.content);
    // A generated harness is told by its title: its entry point is the same for all.
    const bool isAsked =
        saved.harness == options.harness && (!saved.harness.empty() || saved.entry == options.entry);
    if (saved.file == file && isAsked && options.properties.contains(saved.kind))
      asked.findings.emplace_back(each.name, std::move(saved));
  }
  return asked;
}

Finding findingOf(const ReplayResult& replayed, const Finding& failure, const std::string& schedule) {
  Finding finding = failure;
  finding.schedule = schedule;
  finding.steps = replayed.steps;
  finding.threads = replayed.threads;
  finding.inputs = replayed.inputs;
  for (const Finding& other : replayed.failures)
    if (other.kind == finding.kind && other.place != finding.place)
      finding.related.push_back({other.place, other.message});
  return finding;
}

SavedRun runOf(const std::string& name, Property kind, const FollowedSchedule& followed) {
  SavedRun run;
  run.name = name;
  run.kind = kind;
  run.why = followed.why;
  run.place = followed.place;
  run.schedule = followed.schedule;
  switch (followed.how) {
    case FollowedSchedule::How::Followed:
      run.state = SavedState::Passes;
      break;
    case FollowedSchedule::How::Impossible:
      run.state = SavedState::Impossible;
      break;
    case FollowedSchedule::How::Lost:
      run.state = SavedState::Lost;
      break;
  }
  return run;
}

Report analyzeWithSaved(const Engine& engine, const Snapshot& snapshot, const Options& options,
                        const Budget& budget, const Observer& observer) {
  const Asked asked = askedOf(snapshot, options);
  if (asked.findings.empty() && asked.unreadable.empty())
    return engine.analyze(snapshot, options, budget, observer);

  std::vector<SavedRun> runs = asked.unreadable;
  std::vector<Finding> failed;
  std::vector<AnchoredSchedule> schedules;
  for (const auto& [name, saved] : asked.findings) schedules.push_back(saved.run);
  const Budget own = budgetOfSaved(budget);
  std::string problem;
  size_t seen = 0;
  const auto take = [&](size_t index, const FollowedSchedule& followed) {
    ++seen;
    const Property kind = asked.findings[index].second.kind;
    SavedRun& run = runs.emplace_back(runOf(asked.findings[index].first, kind, followed));
    if (followed.how != FollowedSchedule::How::Followed) return;
    const auto& failures = followed.replayed.failures;
    const auto failure = std::find_if(failures.begin(), failures.end(),
                                      [&](const Finding& each) { return each.kind == kind; });
    if (failure == failures.end()) return;
    run.state = SavedState::Fails;
    run.place = failure->place;
    failed.push_back(findingOf(followed.replayed, *failure, followed.schedule));
    observer.finding(failed.back());
  };
  followEach(snapshot, options, schedules, own, problem, take);
  for (; seen < asked.findings.size(); ++seen) {
    const auto& [name, saved] = asked.findings[seen];
    runs.push_back(
        {name, saved.kind, SavedState::Lost, problem.empty() ? "no time was left" : problem, {}, ""});
  }

  Report report = engine.analyze(snapshot, options, budget, observer);
  for (const Finding& finding : failed) addReplayed(report, finding);
  std::sort(runs.begin(), runs.end(), [](const SavedRun& a, const SavedRun& b) { return a.name < b.name; });
  report.saved = std::move(runs);
  return report;
}

}  // namespace

Engine withSavedFindings(Engine engine) {
  Engine made = engine;
  made.analyze = [engine = std::move(engine)](const Snapshot& snapshot, const Options& options,
                                              const Budget& budget, const Observer& observer) {
    return analyzeWithSaved(engine, snapshot, options, budget, observer);
  };
  return made;
}

SavedFinding saveFinding(const Snapshot& snapshot, const Options& options, const Finding& finding,
                         const Budget& budget, std::string& problem) {
  SavedFinding saved;
  saved.file = fileInProject(projectFolderOf(snapshot.path), snapshot.path);
  saved.entry = options.entry;
  saved.id = finding.id;
  saved.kind = finding.kind;
  saved.message = finding.message;
  saved.function = finding.place.function;
  problem.clear();
  if (finding.kind == Property::Atomicity) {
    problem = "a lost update fails nowhere when it is run; save a failure that it leads to";
    return saved;
  }
  const ExploredInstead explored = exploredInstead(snapshot, options, budget);
  saved.harness = explored.options.harness;
  saved.run = anchor(explored.snapshot, explored.options, finding.schedule, budget, problem);
  return saved;
}

}  // namespace heddle
