#include "server/driver/check.h"

#include <fstream>
#include <ostream>

#include "server/driver/source_file.h"
#include "server/render/interleaving.h"
#include "server/render/json_report.h"
#include "server/render/sarif_report.h"
#include "server/render/text_report.h"
#include "server/source/harness.h"
#include "server/source/moved_places.h"
#include "server/source/suppressions.h"

namespace heddle {
Snapshot snapshotOf(const SourceFile& file, const CommonOptions& common, const Engine& engine,
                    std::ostream& err) {
  Snapshot snapshot;
  snapshot.path = file.absolute;
  snapshot.text = file.text;
  snapshot.environment = common.environment;
  if (common.flagsGiven) {
    snapshot.command = engine.commandFromFlags(file.absolute, common.flags);
    for (const std::string& dropped : snapshot.command.dropped)
      err << "heddle: warning: flag '" << dropped
          << "' is ignored: it could load or run code, or changes the output\n";
  } else {
    std::string problem;
    snapshot.command = engine.findCommand(file.absolute, &problem);
    if (!problem.empty()) err << "heddle: warning: " << problem << '\n';
  }
  return snapshot;
}

Budget budgetOf(const CommonOptions& common, std::stop_token stop) {
  Budget budget = Budget::forDuration(common.budget);
  if (common.steps) budget.withSteps(*common.steps);
  budget.withStop(std::move(stop));
  return budget;
}

namespace {

ReplayContext contextOf(const SourceFile& file, const CommonOptions& common) {
  return {file.given, common.options.entry, common.flags};
}

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

/// By the comments of the file's text.
std::map<std::string, std::string> suppressedIn(const Report& report, const SourceFile& file) {
  std::map<std::string, std::string> reasons;
  const std::vector<IgnoreComment> comments = ignoreComments(PositionMap(file.text));
  for (const Finding& finding : report.findings)
    if (const auto reason = suppressionOf(finding, linesOf(finding, report.file), comments, {}))
      reasons[finding.id] = *reason;
  return reasons;
}

}  // namespace

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

int runCheck(const CheckCommand& command, const Engine& engine, Streams streams, std::stop_token stop) {
  std::vector<SourceFile> files;
  bool usable = true;
  for (const std::string& path : command.files) {
    std::string problem;
    if (std::optional<SourceFile> file = readSource(path, problem)) {
      files.push_back(std::move(*file));
    } else {
      streams.err << "heddle: error: " << problem << '\n';
      usable = false;
    }
  }
  if (!usable) return kExitUsage;

  std::ofstream output;
  if (!command.output.empty()) {
    output.open(command.output, std::ios::binary | std::ios::trunc);
    if (!output) {
      streams.err << "heddle: error: " << command.output
                  << ": cannot be written; check the path and its permissions\n";
      return kExitUsage;
    }
  }

  int code = kExitNoBug;
  std::vector<SarifFile> sarif;  // one document for all files, at the end
  for (const SourceFile& file : files) {
    Snapshot snapshot = snapshotOf(file, command, engine, streams.err);
    Options options = command.options;
    const PositionMap map(file.text);
    MovedPlaces places(file.absolute, map, map);
    if (const auto harness = harnessText(file.text, options.entry)) {
      const TextPosition at = map.positionOf(harness->comment.begin, PositionEncoding::Utf8);
      places.setBeyond({file.absolute, at.line + 1, at.character + 1, ""});
      snapshot.text = harness->text;
      options.entry = kHarnessEntry;
    }
    Report report = engine.analyze(snapshot, options, budgetOf(command, stop), Observer{});
    places.move(report);
    showAsGiven(report, file);
    const std::string text = command.explain ? renderExplanations(report, contextOf(file, command))
                                             : renderText(report, contextOf(file, command));
    if (command.format == Format::Sarif) sarif.push_back({report, file.text, suppressedIn(report, file)});
    const std::string formatted = command.format == Format::Sarif  ? std::string()
                                  : command.format == Format::Json ? dumpLine(reportJson(report))
                                                                   : text;
    if (output.is_open()) {
      output << formatted << std::flush;
      streams.out << text << std::flush;
    } else {
      streams.out << formatted << std::flush;
    }
    if (const std::string problem = problemLine(report); !problem.empty()) streams.err << problem << '\n';
    code = worseExitCode(code, exitCodeOf(report));
  }
  if (command.format == Format::Sarif)
    (output.is_open() ? output : streams.out) << dumpLine(sarifReport(sarif)) << std::flush;
  if (output.is_open()) {
    output.close();
    if (!output) {
      streams.err << "heddle: error: " << command.output
                  << ": could not be written in full; is the disk full?\n";
      return kExitUsage;
    }
  }
  return code;
}

int runReplay(const ReplayCommand& command, const Engine& engine, Streams streams, std::stop_token stop) {
  std::string problem;
  const std::optional<SourceFile> file = readSource(command.file, problem);
  if (!file) {
    streams.err << "heddle: error: " << problem << '\n';
    return kExitUsage;
  }
  ReplayResult result = engine.replay(snapshotOf(*file, command, engine, streams.err), command.options,
                                      command.schedule, budgetOf(command, std::move(stop)));
  showAsGiven(result, *file);
  streams.out << (command.format == Format::Json ? dumpLine(replayJson(file->given, command.schedule, result))
                                                 : replayText(result, *file))
              << std::flush;
  if (!result.ok) {
    streams.err << "heddle: error: the schedule does not replay: " << result.error << '\n';
    return kExitUsage;
  }
  return result.failures.empty() ? kExitNoBug : kExitBug;
}

}  // namespace heddle
