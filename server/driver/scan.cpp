#include "server/driver/scan.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>

#include "analysis/failure_class.h"
#include "analysis/support/in_parallel.h"
#include "server/diagnostics_page.h"
#include "server/driver/exploration_input.h"
#include "server/driver/project_survey.h"
#include "server/driver/scanned_findings.h"
#include "server/driver/source_file.h"
#include "server/native/changed_files.h"
#include "server/project/c_files.h"
#include "server/project/near_files.h"
#include "server/render/json_report.h"
#include "server/render/scan_html.h"
#include "server/render/scan_report.h"
#include "server/source/harness.h"
#include "server/source/merged_survey.h"
#include "server/source/project_guesses.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr size_t kMostFilesLooked = 5000;
// What is linked is linked again for each exploration; as much as `check` links.
constexpr NearLimit kMostLinked;
constexpr std::chrono::milliseconds kLeastBox{500};
// Of one exploration. Most of what is found shows at once, so all have a little before any has more.
constexpr std::chrono::milliseconds kFirstBox{500}, kMostBox{5000};

std::vector<std::string> filesOf(const std::string& folder) {
  std::vector<std::string> paths = cFilesBelow(folder, kMostFilesLooked);
  // A library that is all headers.
  if (paths.empty()) paths = cFilesBelow(folder, kMostFilesLooked, ".h");
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// What configures the project that the folder belongs to, by the nearest files that say so; empty: none.
std::string buildStepOf(const std::string& folder) {
  constexpr std::array<std::pair<const char*, const char*>, 6> kSteps = {
      {{"configure", "./configure"},
       {"autogen.sh", "./autogen.sh && ./configure"},
       {"configure.ac", "autoreconf -i && ./configure"},
       {"CMakeLists.txt", "cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"},
       {"meson.build", "meson setup build"},
       {"auto/configure", "auto/configure"}}};
  constexpr unsigned kMostParents = 3;
  std::error_code error;
  fs::path at = fs::absolute(folder, error).lexically_normal();
  for (unsigned i = 0; i <= kMostParents && !error && !at.empty(); ++i, at = at.parent_path()) {
    for (const auto& [file, step] : kSteps)
      if (fs::is_regular_file(at / file, error)) return step;
    error.clear();
    if (fs::exists(at / ".git", error)) break;
  }
  return "";
}

/// One exploration to come.
struct Job {
  const SurveyedFile* file = nullptr;
  std::string harness;  // empty: the file is a program
  int rank = 0;
  bool isAlone = false;  // the harness makes one call
};

/// `engine`, which looks up the command of a file once.
Engine withKnownCommands(Engine engine) {
  struct Known {
    std::mutex mutex;
    std::map<std::string, CompileCommand> commands;
  };
  engine.findCommand = [find = engine.findCommand, known = std::make_shared<Known>()](const std::string& path,
                                                                                      std::string* problem) {
    {
      const std::lock_guard<std::mutex> guard(known->mutex);
      const auto found = known->commands.find(path);
      // A damaged database is told once, too.
      if (found != known->commands.end()) return found->second;
    }
    // Unlocked: which entry of a database it is may take a look at the file.
    CompileCommand command = find(path, problem);
    const std::lock_guard<std::mutex> guard(known->mutex);
    return known->commands[path] = std::move(command);
  };
  return engine;
}

class Scan {
 public:
  Scan(const ScanCommand& command, const Engine& engine, Streams streams, std::stop_token stop)
      : command_(command),
        engine_(withKnownCommands(engine)),
        streams_(streams),
        stop_(std::move(stop)),
        budget_(Budget::forDuration(command.total)) {
    budget_.withStop(stop_);
  }

  int run() {
    const Clock::time_point started = Clock::now();
    std::string problem;
    for (const std::string& path : filesOf(command_.folder))
      if (std::optional<SourceFile> file = readSource(path, problem)) files_.push_back(std::move(*file));
    if (files_.empty()) {
      streams_.err << "heddle: error: " << command_.folder
                   << ": no C files; name the folder that holds them\n";
      return kExitUsage;
    }
    if (!command_.since.empty()) {
      changed_ = changedSince(command_.folder, command_.since, problem);
      if (!changed_) {
        streams_.err << "heddle: error: " << problem << '\n';
        return kExitUsage;
      }
    }
    result_.folder = command_.folder;
    result_.files = files_.size();
    result_.buildStep = buildStepOf(command_.folder);
    survey();
    result_.lookSeconds = std::chrono::duration<double>(Clock::now() - started).count();
    explore();
    result_.findings = findings_.ranked();
    result_.seconds = std::chrono::duration<double>(Clock::now() - started).count();
    if (!write()) return kExitUsage;
    if (std::any_of(result_.findings.begin(), result_.findings.end(),
                    [](const ScannedFinding& found) { return !found.finding.possible; }))
      return kExitBug;
    return result_.leavesOpen() ? kExitIncomplete : kExitNoBug;
  }

 private:
  std::string rendered() const {
    switch (command_.format) {
      case Format::Json:
        return dumpLine(scanJson(result_, ledger_));
      case Format::Sarif:
        return dumpLine(sarifReport(scanSarif(result_), diagnosticsSections()));
      case Format::Html:
        return scanHtml(result_, ledger_);
      case Format::Text:
        break;
    }
    return scanText(result_, ledger_);
  }

  bool write() {
    if (command_.output.empty()) {
      streams_.out << rendered() << std::flush;
      return true;
    }
    std::ofstream output(command_.output, std::ios::binary | std::ios::trunc);
    output << rendered() << std::flush;
    streams_.out << scanText(result_, ledger_) << std::flush;
    if (output) return true;
    streams_.err << "heddle: error: " << command_.output
                 << ": cannot be written; check the path and its permissions\n";
    return false;
  }

  /// Of what --since names, only files that differ or are linked with one that does.
  bool isAsked(const SurveyedFile& file) {
    const auto differs = [&](const SourceFile* one) { return changed_->contains(one->absolute); };
    if (!changed_ || differs(file.file)) return true;
    const std::vector<const SourceFile*>& linked = unitsOf(file).linked;
    return std::any_of(linked.begin(), linked.end(), differs);
  }

  /// What each file offers, and which of them are whole programs.
  void survey() {
    std::mutex mutex;  // of what the looks leave behind
    std::map<const SourceFile*, Report> broken;
    survey_.emplace(
        files_,
        [&](const SourceFile& file, const Budget& budget) {
          const ExplorationInput input = inputFor(ProgramFiles{&file, {}, true}, "", true);
          HarnessPlan plan = engine_.harnesses(input.snapshot, input.options.options.entry, budget);
          const bool isWhole = plan.problem.empty() && !plan.isPartial;
          std::optional<Report> report;
          if (!isWhole && budget.check() == StopReason::None) report = wholeReport(input);
          const std::lock_guard<std::mutex> guard(mutex);
          if (report) broken[&file] = std::move(*report);
          if (plan.isPartial) partial_.insert(&file);
          return plan;
        },
        budget_.part(&Tuning::survey), workers());
    std::vector<const HarnessPlan*> plans;
    std::map<std::string, std::string> named;
    for (const SurveyedFile& file : survey_->files()) {
      if (const auto report = broken.find(file.file); report != broken.end()) {
        ++result_.broken;
        result_.isOpen |= !changed_ || changed_->contains(file.file->absolute);
        if (file.plan.isPartial) ++result_.partial;
        ledger_.addBroken(file.file->given, report->second.problem, report->second.missing);
      }
      if (!file.isLooked) {
        ++result_.notLooked;
        continue;
      }
      if (!file.plan.problem.empty()) continue;
      ledger_.addFile(file.file->given, file.plan);
      plans.push_back(&file.plan);
      named[file.file->absolute] = file.file->given;
      addJobs(file);
    }
    ledger_.addHabits(lockHabits(mergedSurvey(plans), true), named);
    for (const ProjectGuess& found : projectGuesses(plans))
      if (const auto file = named.find(plans[found.plan]->functions.front().place.file); file != named.end())
        ledger_.addGuess(file->second, found.guess);
    std::stable_sort(jobs_.begin(), jobs_.end(), [](const Job& a, const Job& b) { return a.rank > b.rank; });
    linkUnits();
  }

  unsigned workers() const { return std::max(1u, command_.options.workers); }

  /// What is linked with each job's file.
  void linkUnits() {
    for (const Job& job : jobs_) {
      const ProjectSurvey::Units& units = unitsOf(*job.file);
      if (units.leftOut != 0) ledger_.addLeftOut(job.file->file->given, units.linked.size());
    }
  }

  void addJobs(const SurveyedFile& file) {
    if (!isAsked(file)) return;
    // Programs of the project make the calls that its authors had in mind, best those that come to threads
    // soon; one of one thread comes behind all that threads do, and before calls that nobody may make.
    constexpr int kProgramRank = 650, kCallRank = 10, kOneThreadRank = -500;
    // Each further harness of a file tells less than the first one of another.
    constexpr int kFurtherRank = 10;
    if (file.plan.hasEntry) {
      // A harness that a comment writes is a program, too.
      auto calls = survey_->callsToThreads(file, command_.options.entry);
      if (!calls) calls = survey_->callsToThreads(file, kHarnessEntry);
      const int behind = kCallRank * static_cast<int>(std::min<size_t>(calls.value_or(0), 50));
      jobs_.push_back({&file, "", calls ? kProgramRank - behind : kOneThreadRank});
      ++result_.programs;
    }
    int further = 0;
    for (const GeneratedHarness& harness : file.plan.harnesses) {
      if (harness.isOptional) continue;
      // Calls alone stand behind all others, or look wrong, one as much as the other.
      const int behind = harness.isAlone ? 0 : kFurtherRank * further++;
      jobs_.push_back({&file, harness.title, harness.rank - behind, harness.isAlone});
      ++result_.harnesses;
    }
  }

  const ProjectSurvey::Units& unitsOf(const SurveyedFile& file) {
    const auto [units, isNew] = units_.try_emplace(&file);
    if (isNew) units->second = survey_->unitsOf(file, {kMostLinked.files, kMostLinked.bytes});
    return units->second;
  }

  ExplorationInput inputFor(const Job& job) const {
    return inputFor(ProgramFiles{job.file->file, units_.at(job.file).linked, true}, job.harness, false);
  }

  /// `isLook`: it is not known yet whether all compiles.
  ExplorationInput inputFor(const ProgramFiles& parts, const std::string& harness, bool isLook) const {
    ScanCommand command = command_;
    command.onlyNeeded = true;
    const auto isPartial = [&](const SourceFile* file) { return partial_.contains(file); };
    command.partial =
        isLook || isPartial(parts.first) || std::any_of(parts.others.begin(), parts.others.end(), isPartial);
    command.options.harness = harness;
    // Explorations run side by side instead.
    command.options.workers = 1;
    // Nobody has been asked; the verdict names it.
    command.environment.signals = Signals::None;
    if (allocationsFail_) {
      set(command.environment, Friendliness::Hostile);
      command.given.insert("environment");
    }
    command.given.insert({"signals", "noSignals", "workers"});
    std::ostringstream warnings;
    ExplorationInput input = explorationOf(parts, command, engine_, warnings);
    if (!warnings.str().empty()) tell(warnings.str());
    input.generated = harness.empty() ? 0 : 1;
    input.snapshot.filesAreFixed = true;
    input.snapshot.unitsFollow = isLook;
    return input;
  }

  /// Each text once, from any thread.
  void tell(const std::string& text) const {
    const std::lock_guard<std::mutex> guard(told_.mutex);
    if (told_.texts.insert(text).second) streams_.err << text;
  }

  /// Why the file does not compile as a whole.
  Report wholeReport(ExplorationInput input) const {
    input.snapshot.command.isPartial = false;
    Report report =
        engine_.analyze(input.snapshot, input.options.options, Budget::forDuration(kLeastBox), Observer{});
    input.showAsWritten(report);
    return report;
  }

  /// All jobs in order, for a short time each; then those that it was too short for; then, while time is
  /// left, again with allocations that fail.
  void explore() {
    exploreAll(jobs_, kFirstBox);
    if (result_.outOfTime || stop_.stop_requested()) return;
    exploreAll(std::exchange(tooLong_, {}), kMostBox);
    if (result_.outOfTime || stop_.stop_requested()) return;
    allocationsFail_ = true;
    exploreAll(jobs_, kMostBox);
    result_.outOfTime = false;  // of what was asked for, all was explored
  }

  /// Side by side; what they show is taken in the order of the jobs. `most`: the time of each.
  void exploreAll(const std::vector<Job>& jobs, std::chrono::milliseconds most) {
    std::mutex mutex;  // of what several explorations look at
    std::vector<std::optional<std::pair<Report, ExplorationInput>>> done(jobs.size());
    inParallel(workers(), jobs.size(), [&](unsigned, size_t i) {
      if (stop_.stop_requested()) return;
      const SurveyedFile* file = jobs[i].file;
      std::optional<std::chrono::milliseconds> box;
      {
        const std::lock_guard<std::mutex> guard(mutex);
        box = boxFor(compileTimes_[file], most);
        if (!box) {
          result_.outOfTime = true;
          return;
        }
      }
      Budget budget = Budget::forDuration(*box);
      budget.withStop(stop_);
      ExplorationInput input = inputFor(jobs[i]);
      Report report = engine_.analyze(input.snapshot, input.options.options, budget, Observer{});
      input.showAsWritten(report);
      const std::lock_guard<std::mutex> guard(mutex);
      compileTimes_[file] =
          std::chrono::milliseconds(static_cast<int64_t>(report.stats.compileSeconds * 1000));
      done[i].emplace(std::move(report), std::move(input));
    });
    for (size_t i = 0; i < jobs.size(); ++i) {
      if (!done[i]) continue;
      auto& [report, input] = *done[i];
      if (allocationsFail_)
        takeOfFailingAllocations(report, input);
      else
        takeReport(jobs[i], report, input, most == kFirstBox);
    }
  }

  /// None: too little is left.
  std::optional<std::chrono::milliseconds> boxFor(std::chrono::milliseconds compile,
                                                  std::chrono::milliseconds most) const {
    // Compiling does not count: a file of many units is explored as long as a small one.
    const std::chrono::milliseconds box =
        compile + std::min(most, command_.budget.count() == 0 ? most : command_.budget);
    if (!budget_.deadline()) return box;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(*budget_.deadline() - Budget::Clock::now());
    if (left < kLeastBox + compile) return std::nullopt;
    return std::min(box, left);
  }

  void takeReport(const Job& job, const Report& report, const ExplorationInput& input, bool isFirst) {
    result_.explored += isFirst ? 1 : 0;
    if (isFirst && report.problemKind == ProblemKind::Budget)
      tooLong_.push_back(job);
    else
      result_.isOpen |=
          report.verdict != Verdict::Verified && report.verdict != Verdict::VerifiedWithinBounds;
    ledger_.addReport(report, job.isAlone);
    for (const GeneratedHarness& harness : job.file->plan.harnesses)
      if (harness.title == job.harness) ledger_.addSuspects(job.file->file->given, harness.suspects, report);
    take(report, input);
  }

  /// Many programs are not written for it, so it is never an error; the ledger is about executions in which
  /// memory is there.
  void takeOfFailingAllocations(Report& report, const ExplorationInput& input) {
    ++result_.exploredWithoutMemory;
    for (std::vector<Finding>* findings : {&report.findings, &report.warnings})
      for (Finding& finding : *findings) {
        finding.possible |= findings == &report.findings;
        assumeFailedAllocation(finding);
      }
    take(report, input);
  }

  /// Each finding once, whichever exploration shows it.
  void take(const Report& report, const ExplorationInput& input) {
    const auto add = [&](const Finding& finding) {
      findings_.add({finding, report.file, input.files.first->text, report.harness,
                     replayContextOf(input, command_, report.harness)});
    };
    for (const Finding& finding : report.findings) add(finding);
    for (const Finding& warning : report.warnings)
      if (warning.possible) add(warning);
  }

  const ScanCommand& command_;
  const Engine engine_;
  Streams streams_;
  std::stop_token stop_;
  Budget budget_;  // of all
  std::vector<SourceFile> files_;
  std::optional<std::set<std::string>> changed_;  // files that --since asks for; nothing: all
  std::optional<ProjectSurvey> survey_;
  std::set<const SourceFile*> partial_;  // of which some does not compile
  std::vector<Job> jobs_;
  std::vector<Job> tooLong_;  // those that the first round has not ended
  std::map<const SurveyedFile*, ProjectSurvey::Units> units_;
  std::map<const SurveyedFile*, std::chrono::milliseconds> compileTimes_;
  ScanLedger ledger_;
  ScanResult result_;
  ScannedFindings findings_;
  bool allocationsFail_ = false;  // in the round that is under way
  mutable struct {
    std::mutex mutex;
    std::set<std::string> texts;
  } told_;
};

}  // namespace

int runScan(const ScanCommand& command, const Engine& engine, Streams streams, std::stop_token stop) {
  return Scan(command, engine, streams, std::move(stop)).run();
}

}  // namespace heddle
