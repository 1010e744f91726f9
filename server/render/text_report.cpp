#include "server/render/text_report.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "server/render/duration_text.h"
#include "server/render/finding_group.h"
#include "server/render/interleaving.h"
#include "server/render/sized_text.h"

namespace heddle {
namespace {

std::string indent(const std::string& lines) {
  std::string out;
  size_t begin = 0;
  while (begin < lines.size()) {
    const size_t end = std::min(lines.size(), lines.find('\n', begin));
    out += "    " + lines.substr(begin, end - begin) + '\n';
    begin = end + 1;
  }
  return out;
}

/// Which lines are new, and how many of the others there are.
class FreshLines {
 public:
  explicit FreshLines(ToldBefore* told) : told_(told) {}

  /// `key`: what the line says, without places, which may differ. False: it was told before.
  bool isFresh(const std::string& key) {
    if (told_ == nullptr || told_->lines.insert(key).second) return true;
    ++known_;
    return false;
  }
  /// How many of `noun` were left out since the last call: "23 unknown functions"; empty: none.
  std::string left(const std::string& noun) {
    const size_t number = std::exchange(known_, 0);
    return number == 0 ? "" : count(number, noun);
  }

 private:
  ToldBefore* const told_;
  size_t known_ = 0;
};

/// "  unknown: 'f' (a.c:3, a.c:9), …": one line, and what to do about it.
std::string unknownText(const Report& report, FreshLines& fresh) {
  constexpr size_t kMostPlaces = 3;
  std::string out;
  for (const UnknownCall& call : report.unknownCalls) {
    if (!fresh.isFresh("unknown " + call.name + " " + call.effect)) continue;
    out += "  unknown: '" + call.name + "' (";
    for (size_t i = 0; i < call.places.size() && i < kMostPlaces; ++i)
      out += (i == 0 ? "" : ", ") + placeText(call.places[i], report.file);
    if (call.places.size() > kMostPlaces)
      out += ", " + std::to_string(call.places.size() - kMostPlaces) + " more";
    out += call.effect == "refused" ? "): not supported\n" : "): taken to change " + call.effect + '\n';
  }
  if (!out.empty())
    out += "  note: `heddle stubs` prints definitions for what is unknown; --unknown says what to assume\n";
  return out;
}

std::string assumptionText(const Report& report, FreshLines& fresh) {
  std::string out;
  std::set<std::string> own;  // a text may be assumed in several places
  for (const Assumption& assumption : report.assumptions) {
    if (!own.contains(assumption.text) && !fresh.isFresh("assumption " + assumption.text)) continue;
    own.insert(assumption.text);
    out += "  assumption: " + assumption.text;
    if (assumption.place.line != 0) out += " (" + placeText(assumption.place, report.file) + ")";
    out += '\n';
  }
  return out;
}

}  // namespace

std::string placeText(const SourcePlace& place, const std::string& fallbackFile) {
  std::string text = place.file.empty() ? fallbackFile : place.file;
  if (place.line == 0) return text;
  text += ":" + std::to_string(place.line);
  if (place.column != 0) text += ":" + std::to_string(place.column);
  return text;
}

std::string count(uint64_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string reachText(const Reach& reach) {
  const auto of = [](const ReachCount& count, const std::string& what) {
    return std::to_string(count.reached) + " of " + std::to_string(count.all) + " " + what;
  };
  uint32_t threads = 0;
  for (const ReachedThread& thread : reach.threads) threads += thread.started;
  return count(threads, "thread") + ", " + of(reach.functions, "functions") + ", " +
         of(reach.branchSides, "branch sides") + ", " + of(reach.assertions, "assertions");
}

std::string unreachedText(const Reach& reach) {
  constexpr size_t kMostNamed = 6;
  std::string text;
  for (size_t i = 0; i < reach.unreached.size() && i < kMostNamed; ++i)
    text += (i == 0 ? "" : ", ") + reach.unreached[i].text;
  if (reach.unreached.size() > kMostNamed)
    text += ", " + std::to_string(reach.unreached.size() - kMostNamed) + " more";
  return text;
}

std::string openText(const Report& report) {
  constexpr size_t kMostNamed = 4;
  std::string text;
  for (size_t i = 0; i < report.open.size() && i < kMostNamed; ++i) {
    const OpenPlace& open = report.open[i];
    text += (i == 0 ? "" : ", ") + std::to_string(open.branches) +
            (open.branches == 1 ? " branch" : " branches") + " at the " + open.what + " at " +
            placeText(open.place, report.file);
    if (!open.place.function.empty()) text += " in '" + open.place.function + "'";
  }
  if (report.open.size() > kMostNamed)
    text += ", and " + count(report.open.size() - kMostNamed, "more place");
  return text;
}

std::string verdictLine(const Report& report) {
  const Stats& stats = report.stats;
  const std::string states = stats.states == 0 ? "" : ", " + count(stats.states, "joint state");
  const std::string explored =
      count(stats.paths, "path") + ", " + count(stats.executions, "execution") + states;
  const std::string why = report.problem.empty() ? "" : ": " + report.problem;
  switch (report.verdict) {
    case Verdict::Violated:
      return "violated: " + count(groupsOf(report.findings).size(), "finding") + " in " + explored +
             (stats.openLeaves != 0 ? ", " + std::to_string(stats.openLeaves) + " open" : "") + why;
    case Verdict::Verified:
      return "verified: all schedules and inputs, " + explored +
             (report.provedLocations == 0
                  ? ""
                  : ", loops by invariants of " + count(report.provedLocations, "location"));
    case Verdict::VerifiedWithinBounds:
      return "verified within bounds: " + explored + sizedSummary(report);
    case Verdict::Incomplete:
      return "incomplete: " + explored + ", " + std::to_string(stats.openLeaves) + " open" + why +
             sizedSummary(report);
    case Verdict::Cancelled:
      return "cancelled: " + explored + ", " + std::to_string(stats.openLeaves) + " open";
    case Verdict::Unsupported:
      return "unsupported" + why;
    case Verdict::Error:
      return "not explored: " + (report.problem.empty() ? "the file does not compile" : report.problem);
  }
  return "";
}

std::string renderText(const Report& report, const Finding& finding, const ReplayContext& context,
                       const std::vector<const Finding*>& also) {
  const char* const severity = finding.possible     ? ": warning: possible: "
                               : isWarning(finding) ? ": warning: "
                                                    : ": error: ";
  std::string out = placeText(finding.place, report.file) + severity + finding.message + " [" +
                    codeOf(finding.kind) + "]\n";
  for (const RelatedPlace& related : finding.related)
    out += placeText(related.place, report.file) + ": note: " + related.message + '\n';
  out += alsoText(also, report.file);
  for (const std::string& assumed : finding.assumes) out += "  if: " + assumed + '\n';
  if (!finding.inputs.empty()) {
    out += "  inputs:\n";
    const size_t kMostInputs = finding.possible ? 8 : 40;
    const std::vector<std::string> lines = renderInputs(finding.inputs);
    for (size_t i = 0; i < lines.size() && i < kMostInputs; ++i) out += "    " + lines[i] + '\n';
    if (lines.size() > kMostInputs)
      out += "    and " + std::to_string(lines.size() - kMostInputs) + " more (all of them: --format json)\n";
  }
  InterleavingOptions options;
  options.mainFile = report.file;
  // That a call begins and fails is said above.
  const bool isPlain = finding.possible && finding.steps.size() <= 1;
  const std::string table =
      isPlain ? "" : renderInterleaving(finding.threads, stepsToFailure(finding), options);
  if (!table.empty()) out += "  interleaving:\n" + indent(table);
  if (!finding.schedule.empty()) out += "  replay: " + replayCommand(context, finding.schedule) + '\n';
  return out;
}

std::string alsoText(const std::vector<const Finding*>& also, const std::string& file, size_t most) {
  std::string out;
  for (size_t i = 0; i < also.size() && i < most; ++i)
    out += placeText(also[i]->place, file) + ": note: the same bug: " + also[i]->message + '\n';
  if (also.size() > most) out += "  and " + std::to_string(also.size() - most) + " more of the same bug\n";
  return out;
}

std::string problemLine(const Report& report) {
  const bool error = report.verdict == Verdict::Error;
  if (report.problem.empty() || (!error && report.verdict != Verdict::Unsupported)) return "";
  return placeText(report.problemPlace, report.file) + ": error: " + report.problem +
         (!error                  ? " [heddle-unsupported]"
          : report.compilerFailed ? " [heddle-compiler]"
                                  : " [heddle-compile]");
}

std::string renderFindings(const Report& report, const ReplayContext& context,
                           const std::map<std::string, std::string>& suppressed) {
  std::string out;
  for (const auto& [head, also] : groupsOf(report.findings, suppressed)) {
    const Finding& finding = *head;
    if (const auto reason = suppressed.find(finding.id); reason != suppressed.end())
      out += placeText(finding.place, report.file) + ": note: suppressed: " + finding.message + " [" +
             codeOf(finding.kind) + "]: " + reason->second + '\n';
    else
      out += renderText(report, finding, context, also);
  }
  for (const Finding& warning : report.warnings)
    if (!suppressed.contains(warning.id)) out += renderText(report, warning, context);
  return out;
}

/// What became of saved findings, a line each.
static std::string savedText(const Report& report) {
  std::string out;
  for (const SavedRun& run : report.saved) {
    out += "  saved: " + run.name + ": ";
    switch (run.state) {
      case SavedState::Fails:
        out += "fails again";
        break;
      case SavedState::Passes:
        out += "passes";
        break;
      case SavedState::Impossible:
        out += "not possible any more";
        break;
      case SavedState::Lost:
        out += "cannot be followed any more";
        break;
    }
    if (run.place.line != 0) out += " (" + placeText(run.place, report.file) + ")";
    out += (run.why.empty() ? "" : ": " + run.why) + '\n';
  }
  return out;
}

/// What became of another tool's races, a line each.
static std::string reportedText(const Report& report) {
  std::string out;
  for (const ConfirmedRace& race : report.reported)
    out += "  reported race: " + race.name + ": " + toString(race.state) + ": " + race.why + '\n';
  return out;
}

std::string renderText(const Report& report, const ReplayContext& context,
                       const std::map<std::string, std::string>& suppressed, ToldBefore* told) {
  std::string out = renderFindings(report, context, suppressed);
  if (!report.harness.empty()) out += report.file + ": harness " + report.harness + "\n";
  out += report.file + ": " + verdictLine(report) + " (" +
         secondsText(std::chrono::duration<double>(report.stats.wallSeconds)) + ")\n";
  std::string properties;
  for (const auto& [name, verdict] : report.properties)
    properties += (properties.empty() ? "" : ", ") + std::string(toString(name)) + " " + toString(verdict);
  if (!properties.empty()) out += "  properties: " + properties + '\n';
  if (report.reach) {
    out += "  reached: " + reachText(*report.reach) + '\n';
    // Only where everything was explored it is known that nothing comes there.
    const bool isAll = isExhaustive(report);
    if (!report.reach->unreached.empty())
      out += (isAll ? "  never reached: " : "  not reached: ") + unreachedText(*report.reach) + '\n';
  }
  out += sizedText(report, context);
  if (!report.open.empty()) out += "  open: " + openText(report) + "\n  note: " + kMakeSmaller + '\n';
  for (const MissingHeader& header : report.missing) {
    out += "  missing: " + header.name + " (" + placeText(header.place, report.file) + ")";
    for (size_t i = 0; i < header.candidates.size(); ++i)
      out += (i == 0 ? ", in the tree: " : ", ") + header.candidates[i];
    out += header.candidates.empty() ? ", not in the tree: generated by the build, or of another package\n"
                                     : "\n";
  }
  if (!report.missing.empty())
    out +=
        "  note: name folders behind --, as in: heddle check FILE -- -Iinclude; or have the build write "
        "compile_commands.json; or explore what compiles without them, with --partial, as for a file without "
        "an entry point\n";
  FreshLines fresh(told);
  out += unknownText(report, fresh);
  std::string above = fresh.left("unknown function");
  const bool isOrdinary = report.memory.empty() || report.memory.find("suffices") != std::string::npos;
  if (!isOrdinary) out += "  memory model: " + report.memory + '\n';
  out += savedText(report);
  out += reportedText(report);
  for (const NamedBound& bound : report.bounds) out += "  bound: " + bound.text + '\n';
  out += assumptionText(report, fresh);
  if (const std::string assumptions = fresh.left("assumption"); !assumptions.empty())
    above += (above.empty() ? "" : " and ") + assumptions;
  if (!above.empty()) out += "  as above: " + above + '\n';
  if (report.commandSource.starts_with("inferred") && fresh.isFresh("note " + report.commandSource))
    out += "  note: no compile command found for this file, flags were " + report.commandSource + '\n';
  if (report.commandSource.find(", entry ") != std::string::npos)
    out += "  note: this file is compiled in several ways, here as " + report.commandSource + '\n';
  return out;
}

}  // namespace heddle
