#include "server/driver/check.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <ostream>
#include <set>

#include "analysis/failure_class.h"
#include "analysis/same_bug.h"
#include "analysis/support/memory_watch.h"
#include "server/driver/cover.h"
#include "server/driver/exploration_input.h"
#include "server/driver/harness_times.h"
#include "server/driver/live_report.h"
#include "server/driver/lone_calls_told.h"
#include "server/driver/prove_reach.h"
#include "server/driver/report_output.h"
#include "server/driver/reported_race.h"
#include "server/driver/reports_ahead.h"
#include "server/driver/source_file.h"
#include "server/driver/suppressed.h"
#include "server/driver/svcomp.h"
#include "server/driver/unknown_option.h"
#include "server/render/interleaving.h"
#include "server/render/json_report.h"
#include "server/render/text_report.h"
#include "server/sizes/fitting_sizes.h"
#include "server/sizes/size_constants.h"

namespace heddle {
bool readSources(const std::vector<std::string>& paths, std::vector<SourceFile>& files, std::ostream& err) {
  bool usable = true;
  for (const std::string& path : paths) {
    std::string problem;
    if (std::optional<SourceFile> file =
            path == "-" ? readStandardInput(problem) : readSource(path, problem)) {
      files.push_back(std::move(*file));
    } else {
      err << "heddle: error: " << problem << '\n';
      usable = false;
    }
  }
  return usable;
}

Budget budgetOf(const CommonOptions& common, std::stop_token stop) {
  Budget budget = Budget::forDuration(common.budget);
  if (common.steps) budget.withSteps(*common.steps);
  if (common.memory != 0) budget.withMemoryFlag(watchMemory(common.memory));
  budget.withStop(std::move(stop));
  return budget;
}

ReplayContext replayContextOf(const ExplorationInput& input, const CommonOptions& given,
                              const std::string& harness) {
  const ProgramFiles& files = input.files;
  const CommonOptions& common = input.options;
  ReplayContext context{files.first->given, given.options.entry, common.flags};
  if (common.environment.mallocMayFail) context.options.emplace_back("--malloc-may-fail");
  if (common.environment.callsSucceed) {
    context.options.emplace_back("--environment");
    context.options.emplace_back("ordinary");
  }
  if (common.environment.creations) {
    context.options.emplace_back("--creations");
    context.options.push_back(std::to_string(*common.environment.creations));
  }
  if (common.environment.checkLeaks) context.options.emplace_back("--check-leaks");
  if (common.environment.undefinedIsInput) context.options.emplace_back("--undefined-any");
  if (common.environment.noSpuriousWakeups) context.options.emplace_back("--no-spurious-wakeups");
  if (common.environment.volatileIsAtomic) context.options.emplace_back("--volatile-atomic");
  if (common.environment.noWeakFailures) context.options.emplace_back("--no-weak-failures");
  if (const Signals signals = common.environment.signals; signals != Signals::None) {
    context.options.emplace_back("--signals");
    context.options.emplace_back(toString(signals));
  }
  for (std::string& word : unknownWords(common.environment)) {
    context.options.emplace_back("--unknown");
    context.options.push_back(std::move(word));
  }
  if (common.environment.arguments) {
    std::string words;
    for (const std::string& argument : *common.environment.arguments)
      words += (words.empty() ? "" : " ") + argument;
    context.options.emplace_back("--args");
    context.options.push_back(std::move(words));
  }
  for (const auto& [name, value] : common.sizes) {
    context.options.emplace_back("--size");
    context.options.push_back(name + "=" + std::to_string(value));
  }
  if (common.options.properties.contains(Property::Overflow)) {
    context.options.emplace_back("--property");
    context.options.emplace_back(toString(Property::Overflow));
  }
  if (!common.options.harness.empty()) {
    context.options.emplace_back("--harness");
    context.options.push_back(harness.empty() ? common.options.harness : harness);
  }
  if (!common.compileCommands.empty()) {
    context.options.emplace_back("-p");
    context.options.push_back(common.compileCommands);
  }
  if (common.partial || files.areNear) context.options.emplace_back("--partial");
  if (files.onlyNeeded) context.options.emplace_back("--only-needed");
  for (const SourceFile* other : files.others) context.otherFiles.push_back(other->given);
  return context;
}

namespace {

std::string replayText(const ReplayResult& result, const SourceFile& file) {
  std::string out;
  if (!result.inputs.empty()) {
    out += "inputs:\n";
    for (const std::string& line : renderInputs(result.inputs)) out += "  " + line + '\n';
  }
  InterleavingOptions options;
  options.mainFile = file.given;
  options.maxRows = SIZE_MAX;  // who replays wants all of it
  options.maxColumn = 60;
  out += renderInterleaving(result.threads, result.steps, options);
  if (!result.output.empty())
    out += "output:\n" + result.output + (result.output.ends_with('\n') ? "" : "\n");
  for (const Finding& failure : result.failures) {
    Report report;
    report.file = file.given;
    Finding shown = failure;
    shown.inputs.clear();  // both stand above
    shown.steps.clear();
    shown.schedule.clear();
    out += renderText(report, shown, {});
  }
  if (result.ok && result.failures.empty()) out += "no failure on this schedule\n";
  return out;
}

}  // namespace

/// Many programs are not written for it, so it is never an error.
static void assumeFailingAllocations(Report& report) {
  for (Finding& finding : report.findings) {
    finding.possible = true;
    report.warnings.push_back(std::move(finding));
  }
  report.findings.clear();
  for (Finding& warning : report.warnings) assumeFailedAllocation(warning);
  judgeByFindings(report);
}

/// What the harnesses of the files have shown.
struct ShownFindings {
  std::set<std::pair<std::string, std::string>> ids;     // by file
  std::map<std::string, std::vector<Finding>> possible;  // by file: what one cure would remove is told once
};

/// What one cure would remove, of what is only possible. Another call that comes to the same wrong place may
/// still be wrong itself.
static bool isToldWith(const Finding& other, const Finding& finding) {
  return areOfOnePair(other, finding) ||
         (other.place.function == finding.place.function && isSameBug(other, finding));
}

/// In an earlier report, where nothing would be left of it.
static bool isToldBefore(const Finding& other, const Finding& finding) {
  const auto claim = [](const Finding& one) { return one.message.substr(0, one.message.find('\'')); };
  if (areOfOnePointer(other, finding)) return other.place == finding.place && claim(other) == claim(finding);
  return isToldWith(other, finding);
}

/// What is only possible is told with the first finding of its bug that is not suppressed.
static void tellTogether(std::vector<Finding>& findings, const Baseline& suppressed) {
  constexpr size_t kMostNamed = 3;
  std::vector<Finding> together;
  std::map<size_t, size_t> named;  // by number in `together`
  for (Finding& finding : findings) {
    const auto first = std::find_if(together.begin(), together.end(), [&](const Finding& other) {
      return other.possible && finding.possible && !suppressed.contains(other.id) &&
             !suppressed.contains(finding.id) && isToldWith(other, finding);
    });
    if (first == together.end()) {
      together.push_back(std::move(finding));
    } else if (named[static_cast<size_t>(first - together.begin())]++ < kMostNamed) {
      first->related.push_back({finding.place, "also: " + finding.message});
    }
  }
  for (const auto& [number, count] : named)
    if (count > kMostNamed)
      together[number].related.push_back(
          {together[number].place, "also: " + std::to_string(count - kMostNamed) + " more of this"});
  findings = std::move(together);
}

/// Several harnesses of one file may show the same finding: it is told with the first. The verdicts stay.
static void leaveOutKnown(Report& report, ShownFindings& shown) {
  size_t known = 0;
  std::vector<Finding>& earlier = shown.possible[report.file];
  std::vector<Finding> fresh;
  for (std::vector<Finding>* findings : {&report.findings, &report.warnings})
    known += std::erase_if(*findings, [&](const Finding& finding) {
      if (!shown.ids.emplace(report.file, finding.id + std::to_string(finding.place.line)).second)
        return true;
      if (!finding.possible) return false;
      if (std::any_of(earlier.begin(), earlier.end(),
                      [&](const Finding& other) { return isToldBefore(other, finding); }))
        return true;
      fresh.push_back(finding);
      return false;
    });
  std::move(fresh.begin(), fresh.end(), std::back_inserter(earlier));
  if (known != 0)
    report.problem += (report.problem.empty() ? "" : "; ") + std::to_string(known) +
                      " of the findings above are found here, too";
}

/// Bounds that a longer budget moves on.
static bool isSetByTime(BoundKind kind) {
  return kind == BoundKind::LoopRounds || kind == BoundKind::AllocationSize;
}

int exitCodeStrictly(const Report& report, int code) {
  const bool isByTime = report.verdict == Verdict::VerifiedWithinBounds &&
                        std::any_of(report.bounds.begin(), report.bounds.end(),
                                    [](const NamedBound& bound) { return isSetByTime(bound.kind); });
  return isByTime ? worseExitCode(code, kExitIncomplete) : code;
}

int exitCodeOf(const Report& report) {
  if (!report.findings.empty()) return kExitBug;
  switch (report.verdict) {
    case Verdict::Violated:
      return kExitBug;
    case Verdict::Verified:
    case Verdict::VerifiedWithinBounds:
      return kExitNoBug;
    case Verdict::Incomplete:
    case Verdict::Cancelled:
      return kExitIncomplete;
    case Verdict::Unsupported:
    case Verdict::Error:
      return kExitUsage;
  }
  return kExitUsage;
}

int worseExitCode(int a, int b) {
  for (int code : {kExitBug, kExitUsage, kExitIncomplete})
    if (a == code || b == code) return code;
  return kExitNoBug;
}

namespace {

/// Takes what was found for known from now on, and says so in the file.
bool addToBaseline(const std::string& path, const Report& report, Baseline& suppressed, Streams streams) {
  std::ofstream file(path, std::ios::binary | std::ios::app);
  for (const Finding& finding : report.findings) {
    const std::string reason = "known when this line was written: " + finding.message;
    if (suppressed.emplace(finding.id, reason).second) file << finding.id << ' ' << reason << '\n';
  }
  file.close();
  if (file) return true;
  streams.err << "heddle: error: " << path << ": cannot be written; check the path and its permissions\n";
  return false;
}

/// What ThreadSanitizer wrote. A text without a race that has lines is a mistake of whoever named it.
bool readRaces(const std::string& path, std::vector<ReportedRace>& races, Streams streams) {
  std::string problem;
  const std::optional<SourceFile> file = readSource(path, problem);
  if (file) races = racesIn(file->text);
  if (!races.empty()) return true;
  streams.err << "heddle: error: "
              << (file ? path +
                             ": no data race of ThreadSanitizer with lines in it; build with "
                             "-g -fsanitize=thread and give what the program wrote on stderr"
                       : problem)
              << '\n';
  return false;
}

std::vector<std::string> namesOf(const ProgramFiles& files) {
  std::vector<std::string> names = {files.first->given};
  for (const SourceFile* other : files.others) names.push_back(other->given);
  return names;
}

/// Explores one program, and tells on stderr what is found meanwhile.
Report explore(const ExplorationInput& input, const CheckCommand& command, const Engine& engine,
               const Streams& streams, const Budget& budget) {
  LiveReport live(streams.err, {.isTerminal = streams.errIsTerminal,
                                .file = input.files.first->given,
                                .budget = input.options.budget,
                                .showAsWritten = [&](Finding& finding) {
                                  Report one;
                                  one.findings.push_back(std::move(finding));
                                  input.showAsWritten(one);
                                  finding = std::move(one.findings.front());
                                }});
  // Reports for programs are often read together with stderr.
  if (!command.quiet && (command.format == Format::Text || streams.errIsTerminal)) live.begin();
  Report report = analyzeWithSizes(engine, input.snapshot, input.options.options, budget, live.observer());
  live.end();
  assumeSizes(report, input.options.sizes);
  input.showAsWritten(report);
  return report;
}

/// Explores what one command asks for, and takes what is found.
class Check {
 public:
  Check(const CheckCommand& command, const Engine& engine, const Streams& streams, std::stop_token stop,
        ReportOutput& output, const std::vector<ReportedRace>& races)
      : command_(command),
        engine_(engine),
        streams_(streams),
        stop_(std::move(stop)),
        output_(output),
        races_(races) {}

  /// `areBeside`: calls that programs leave open. False: what the command names cannot be written.
  bool explore(const std::vector<ExplorationInput>& inputs, bool areBeside) {
    areBeside_ = areBeside;
    LoneCallsTold alone(inputs, areBeside, stop_);
    HarnessTimes times(stop_);
    std::vector<uint8_t> isExplored(inputs.size(), 1);
    ReportsAhead reports(command_.sideBySide, inputs.size(), [&](size_t i) {
      const bool isOne = LoneCallsTold::isOne(inputs[i]);
      const std::optional<Budget> budget = isOne ? alone.next(inputs[i]) : times.of(inputs[i]);
      isExplored[i] = budget ? 1 : 0;
      if (!budget) return Report();
      Report report = heddle::explore(inputs[i], command_, engine_, streams_, *budget);
      if (!isOne) times.note(inputs[i], *budget);
      return report;
    });
    for (size_t i = 0; i < inputs.size(); ++i) {
      Report report = reports.take(i);
      if (!take(inputs[i], isExplored[i] != 0, report, alone)) return false;
      if (areBeside || LoneCallsTold::isOne(inputs[i]) || command_.proveReach) continue;
      for (ExplorationInput& call : callsNotReached(inputs[i], report, engine_, streams_.err))
        beside_.push_back(std::move(call));
    }
    if (!command_.quiet && command_.format == Format::Text) streams_.out << alone.text() << std::flush;
    return true;
  }

  /// Calls that the programs explored so far leave open.
  const std::vector<ExplorationInput>& beside() const { return beside_; }
  int exitCode() const { return code_; }

 private:
  bool take(const ExplorationInput& input, bool isExplored, Report& report, LoneCallsTold& alone) {
    const SourceFile& file = *input.files.first;
    if (input.allocationsFail) assumeFailingAllocations(report);
    if (input.generated != 0) leaveOutKnown(report, shown_);
    const bool hasShown = !report.findings.empty() || !report.warnings.empty();
    if (LoneCallsTold::isOne(input) && !hasShown) {
      alone.add(input, isExplored ? &report : nullptr);
      const bool isOpen = !input.allocationsFail && exitCodeOf(report) != kExitNoBug;
      if (!alone.hasOthers(input) && isOpen) code_ = worseExitCode(code_, kExitIncomplete);
      if (!isExplored || input.allocationsFail || areBeside_ || command_.format == Format::Text) return true;
    }
    if (!races_.empty()) report.reported = lookFor(races_, report, namesOf(input.files));
    std::string problem;
    const Baseline baseline = baselineFor(file, command_.baseline, problem);
    if (!problem.empty()) streams_.err << "heddle: warning: baseline: " << problem << '\n';
    Baseline suppressed = suppressedIn(report, file, baseline);
    if (input.generated != 0) tellTogether(report.warnings, suppressed);
    if (!command_.writeBaseline.empty() &&
        !addToBaseline(command_.writeBaseline, report, suppressed, streams_))
      return false;
    output_.add(report, file, replayContextOf(input, command_, report.harness), suppressed);
    if (command_.proveReach)
      code_ = worseExitCode(code_, proveReach(input, report, engine_, streams_, stop_));
    // How the program is, its own exploration says.
    if (areBeside_) return true;
    const int own = input.isAlone ? kExitIncomplete : exitCodeWithout(report, suppressed);
    code_ = worseExitCode(code_, command_.strict ? exitCodeStrictly(report, own) : own);
    return true;
  }

  const CheckCommand& command_;
  const Engine& engine_;
  const Streams& streams_;
  const std::stop_token stop_;
  ReportOutput& output_;
  const std::vector<ReportedRace>& races_;
  ShownFindings shown_;
  std::vector<ExplorationInput> beside_;
  bool areBeside_ = false;  // what is explored now is beside programs
  int code_ = kExitNoBug;
};

}  // namespace

int runCheck(const CheckCommand& command, const Engine& engine, Streams streams, std::stop_token stop) {
  if (!command.svcomp.property.empty()) return runSvcomp(command, engine, streams, std::move(stop));
  std::vector<SourceFile> files;
  if (!readSources(command.files, files, streams.err)) return kExitUsage;
  std::vector<ReportedRace> races;
  if (!command.tsanReport.empty() && !readRaces(command.tsanReport, races, streams)) return kExitUsage;
  ReportOutput output(command, streams);
  if (!output.open()) return kExitUsage;

  const std::vector<SourceFile> near = filesNear(files, command);
  Check check(command, engine, streams, stop, output, races);
  if (!check.explore(explorationsOf(files, command, engine, streams.err, near), false)) return kExitUsage;
  // A race that another tool saw is one of the program.
  if (races.empty() && !check.explore(check.beside(), true)) return kExitUsage;
  return output.close() ? check.exitCode() : kExitUsage;
}

int runReplay(const ReplayCommand& command, const Engine& engine, Streams streams, std::stop_token stop) {
  std::vector<SourceFile> files;
  if (!readSources(command.files, files, streams.err)) return kExitUsage;
  const std::optional<std::string> schedule = scheduleIn(command.schedule);
  if (!schedule) {
    streams.err << "heddle: error: " << command.schedule << ": cannot be read; check the path\n";
    return kExitUsage;
  }
  const ExplorationInput input = explorationOf(files, command, engine, streams.err);
  const SourceFile& file = *input.files.first;
  ReplayResult result = engine.replay(input.snapshot, input.options.options, *schedule,
                                      budgetOf(input.options, std::move(stop)));
  input.showAsWritten(result);
  streams.out << (command.format == Format::Json ? dumpLine(replayJson(file.given, *schedule, result))
                                                 : replayText(result, file))
              << std::flush;
  if (!result.ok) {
    streams.err << "heddle: error: the schedule does not replay: " << result.error << '\n';
    return kExitUsage;
  }
  return result.failures.empty() ? kExitNoBug : kExitBug;
}

}  // namespace heddle
