#include "server/driver/scan.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <ostream>
#include <set>

#include "server/driver/exploration_input.h"
#include "server/driver/source_file.h"
#include "server/render/json_report.h"
#include "server/render/scan_report.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr size_t kMostFiles = 5000;
// Each file that is linked is compiled again for each exploration.
constexpr size_t kMostLinked = 24;
constexpr std::chrono::milliseconds kLeastBox{500};
constexpr std::chrono::milliseconds kMostBox{5000};  // of one exploration

std::vector<std::string> filesOf(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && at != end && paths.size() < kMostFiles; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (at->is_directory(error) && name.starts_with(".")) at.disable_recursion_pending();
    if (at->is_regular_file(error) && name.ends_with(".c") && !name.starts_with("."))
      paths.push_back(fs::path(at->path()).lexically_normal().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// One exploration to come.
struct Job {
  ExplorationInput input;
  int rank = 0;
};

class Scan {
 public:
  Scan(const ScanCommand& command, const Engine& engine, Streams streams, std::stop_token stop)
      : command_(command), engine_(engine), streams_(streams), stop_(std::move(stop)) {}

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
    result_.folder = command_.folder;
    result_.files = files_.size();
    survey();
    explore(started);
    std::stable_sort(result_.findings.begin(), result_.findings.end(),
                     [](const ScannedFinding& a, const ScannedFinding& b) {
                       return a.finding.possible < b.finding.possible;
                     });
    result_.seconds = std::chrono::duration<double>(Clock::now() - started).count();
    streams_.out << (command_.format == Format::Json ? dumpLine(scanJson(result_, ledger_))
                                                     : scanText(result_, ledger_))
                 << std::flush;
    if (std::any_of(result_.findings.begin(), result_.findings.end(),
                    [](const ScannedFinding& found) { return !found.finding.possible; }))
      return kExitBug;
    return result_.explored == 0 || isOpen_ ? kExitIncomplete : kExitNoBug;
  }

 private:
  /// What each file offers, and which of them are whole programs.
  void survey() {
    std::vector<const SourceFile*> libraries, programs;
    for (const SourceFile& file : files_) {
      if (stop_.stop_requested()) return;
      const ExplorationInput input =
          explorationOf(ProgramFiles{&file, {}, true}, command_, engine_, streams_.err);
      const HarnessPlan plan = engine_.harnesses(input.snapshot, input.options.options.entry);
      if (!plan.problem.empty()) {
        addBroken(file, input);
        continue;
      }
      ledger_.addFile(file.given, plan);
      // A program of one thread is a test of something else.
      const bool startsThreads = std::any_of(plan.functions.begin(), plan.functions.end(),
                                             [](const SurveyFunction& f) { return !f.starts.empty(); });
      if (!plan.hasEntry)
        libraries.push_back(&file);
      else if (startsThreads)
        programs.push_back(&file);
      for (const GeneratedHarness& harness : plan.harnesses) {
        const ProgramFiles parts{&file, {}, true};
        jobs_.push_back({inputFor(parts, harness.title), harness.rank});
        ++result_.harnesses;
      }
    }
    if (libraries.size() > kMostLinked) libraries.clear();
    for (Job& job : jobs_) {
      ProgramFiles parts{job.input.files.first, {}, true};
      for (const SourceFile* other : libraries)
        if (other != parts.first) parts.others.push_back(other);
      job.input = inputFor(parts, job.input.options.options.harness);
    }
    // Programs of the project make the calls that its authors had in mind.
    constexpr int kProgramRank = 650;
    for (const SourceFile* program : programs) {
      jobs_.push_back({inputFor({program, libraries, true}, ""), kProgramRank});
      ++result_.programs;
    }
    std::stable_sort(jobs_.begin(), jobs_.end(), [](const Job& a, const Job& b) { return a.rank > b.rank; });
  }

  ExplorationInput inputFor(const ProgramFiles& parts, const std::string& harness) {
    ScanCommand command = command_;
    command.onlyNeeded = true;
    command.options.harness = harness;
    ExplorationInput input = explorationOf(parts, command, engine_, streams_.err);
    input.generated = harness.empty() ? 0 : 1;
    return input;
  }

  void addBroken(const SourceFile& file, const ExplorationInput& input) {
    ++result_.broken;
    Report report =
        engine_.analyze(input.snapshot, input.options.options, Budget::forDuration(kLeastBox), Observer{});
    input.showAsWritten(report);
    ledger_.addBroken(file.given, report.problem, report.missing);
  }

  void explore(Clock::time_point started) {
    const bool hasEnd = command_.total.count() != 0;
    for (const Job& job : jobs_) {
      if (stop_.stop_requested()) return;
      std::chrono::milliseconds box =
          std::min(kMostBox, command_.budget.count() == 0 ? kMostBox : command_.budget);
      if (hasEnd) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(command_.total - (Clock::now() - started));
        if (left < kLeastBox) {
          result_.outOfTime = true;
          return;
        }
        box = std::min(box, left);
      }
      Budget budget = Budget::forDuration(box);
      budget.withStop(stop_);
      Report report = engine_.analyze(job.input.snapshot, job.input.options.options, budget, Observer{});
      job.input.showAsWritten(report);
      ++result_.explored;
      isOpen_ |= report.verdict != Verdict::Verified && report.verdict != Verdict::VerifiedWithinBounds;
      ledger_.addReport(report);
      take(report, job.input);
    }
  }

  /// Each finding once, whichever exploration shows it.
  void take(const Report& report, const ExplorationInput& input) {
    const auto add = [&](const Finding& finding) {
      if (!known_.emplace(finding.place.file, finding.id + std::to_string(finding.place.line)).second) return;
      result_.findings.push_back(
          {finding, report.file, report.harness, replayContextOf(input.files, command_, input.options)});
    };
    for (const Finding& finding : report.findings) add(finding);
    for (const Finding& warning : report.warnings)
      if (warning.possible) add(warning);
  }

  const ScanCommand& command_;
  const Engine& engine_;
  Streams streams_;
  std::stop_token stop_;
  std::vector<SourceFile> files_;
  std::vector<Job> jobs_;
  ScanLedger ledger_;
  ScanResult result_;
  std::set<std::pair<std::string, std::string>> known_;
  bool isOpen_ = false;
};

}  // namespace

int runScan(const ScanCommand& command, const Engine& engine, Streams streams, std::stop_token stop) {
  return Scan(command, engine, streams, std::move(stop)).run();
}

}  // namespace heddle
