#include "server/driver/outcomes.h"

#include <algorithm>
#include <ostream>
#include <set>

#include "analysis/pipeline/outcomes.h"
#include "server/driver/exploration_input.h"
#include "server/render/json_report.h"
#include "server/source/litmus.h"

namespace heddle {
namespace {

/// "x=1 0:r0=0".
std::string outcomeText(const std::vector<std::string>& titles, const ProgramOutcome& outcome) {
  std::string text;
  for (size_t i = 0; i < titles.size(); ++i)
    text += (text.empty() ? "" : " ") + titles[i] + "=" + std::to_string(outcome.values[i]);
  return text;
}

/// As herd7 sums up: how many outcomes satisfy the condition.
std::string observationText(const LitmusText& litmus, const OutcomeReport& report) {
  const auto satisfied = static_cast<size_t>(
      std::count_if(report.outcomes.begin(), report.outcomes.end(),
                    [&](const ProgramOutcome& outcome) { return litmus.holds(outcome.values); }));
  const size_t all = report.outcomes.size();
  const bool isOk = litmus.quantifier == "exists"    ? satisfied != 0
                    : litmus.quantifier == "~exists" ? satisfied == 0
                                                     : satisfied == all;
  const char* often = satisfied == 0 ? "Never" : satisfied == all ? "Always" : "Sometimes";
  return std::string(isOk ? "Ok" : "No") + "\nCondition " + litmus.quantifier + " " + litmus.condition +
         "\nObservation " + litmus.name + " " + often + " " + std::to_string(satisfied) + " " +
         std::to_string(all - satisfied) + "\n";
}

/// What sequential consistency allows of the outcomes. Empty: not compared, or not all outcomes of both are
/// known.
class SequentialOutcomes {
 public:
  SequentialOutcomes() = default;
  SequentialOutcomes(const OutcomeReport& weak, const OutcomeReport& sequential) {
    if (!weak.complete || !sequential.complete) return;
    isKnown_ = true;
    for (const ProgramOutcome& outcome : sequential.outcomes) values_.insert(outcome.values);
    isRobust_ = weak.failures == sequential.failures &&
                std::all_of(weak.outcomes.begin(), weak.outcomes.end(),
                            [&](const ProgramOutcome& outcome) { return values_.contains(outcome.values); });
  }
  bool isKnown() const { return isKnown_; }
  bool has(const ProgramOutcome& outcome) const { return values_.contains(outcome.values); }
  /// Of what ends the program and of its failures.
  bool isRobust() const { return isRobust_; }

 private:
  bool isKnown_ = false, isRobust_ = false;
  std::set<std::vector<int64_t>> values_;
};

nlohmann::ordered_json outcomesJson(const std::vector<std::string>& titles, const OutcomeReport& report,
                                    const SequentialOutcomes& sequential, std::string_view model) {
  nlohmann::ordered_json out = {{"memory_model", std::string(model)},
                                {"complete", report.complete},
                                {"problem", report.problem},
                                {"failures", report.failures},
                                {"outcomes", nlohmann::ordered_json::array()}};
  for (const ProgramOutcome& outcome : report.outcomes) {
    nlohmann::ordered_json values;
    for (size_t i = 0; i < titles.size(); ++i) values[titles[i]] = outcome.values[i];
    out["outcomes"].push_back({{"values", values}, {"schedule", outcome.schedule}});
    if (sequential.isKnown()) out["outcomes"].back()["under_sc"] = sequential.has(outcome);
  }
  if (sequential.isKnown()) out["same_as_under_sc"] = sequential.isRobust();
  return out;
}

}  // namespace

int runOutcomes(const OutcomesCommand& command, const Engine& engine, Streams streams, std::stop_token stop) {
  std::vector<SourceFile> files;
  if (!readSources({command.file}, files, streams.err)) return kExitUsage;
  std::optional<LitmusText> litmus;
  std::vector<std::string> finals = command.finals, titles = command.finals;
  if (command.file.ends_with(".litmus")) {
    std::string problem;
    litmus = readLitmus(files.front().text, problem);
    if (!litmus) {
      streams.err << "heddle: error: " << command.file << ": " << problem << '\n';
      return kExitUsage;
    }
    files.front().text = litmus->program;
    finals = litmus->finals;
    titles = litmus->titles;
  }
  if (finals.empty()) {
    streams.err << "heddle: error: name variables, as in --final x,y\n";
    return kExitUsage;
  }
  const ExplorationInput input = explorationOf(files, command, engine, streams.err);
  Snapshot snapshot = input.snapshot;
  // Clang goes by the ending.
  if (litmus) snapshot.path += ".c";
  const Options& options = input.options.options;
  const Budget budget = budgetOf(input.options, std::move(stop));
  const OutcomeReport report = findOutcomes(snapshot, options, finals, budget);
  SequentialOutcomes sequential;
  if (report.complete && options.memoryModel != MemoryModelKind::Sc) {
    Options strict = options;
    strict.memoryModel = MemoryModelKind::Sc;
    sequential = {report, findOutcomes(snapshot, strict, finals, budget)};
  }
  if (command.format == Format::Json) {
    streams.out << dumpLine(outcomesJson(titles, report, sequential, toString(options.memoryModel)));
  } else {
    streams.out << toString(options.memoryModel) << ": " << report.outcomes.size() << " outcomes\n";
    for (const ProgramOutcome& outcome : report.outcomes)
      streams.out << (litmus && litmus->holds(outcome.values) ? "* " : "  ") << outcomeText(titles, outcome)
                  << "   [" << outcome.schedule << "]"
                  << (sequential.isKnown() && !sequential.has(outcome) ? "   not under sc" : "") << '\n';
    for (const std::string& failure : report.failures) streams.out << "  also: " << failure << '\n';
    if (sequential.isRobust()) streams.out << "the same outcomes as under sc\n";
    if (litmus && report.complete) streams.out << observationText(*litmus, report);
  }
  streams.out << std::flush;
  if (report.complete) return kExitNoBug;
  streams.err << "heddle: error: " << report.problem << '\n';
  return report.outcomes.empty() ? kExitUsage : kExitIncomplete;
}

}  // namespace heddle
