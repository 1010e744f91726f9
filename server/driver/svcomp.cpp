#include "server/driver/svcomp.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <ostream>

#include "analysis/compile/content_hash.h"
#include "server/driver/exploration_input.h"
#include "server/render/text_report.h"
#include "server/svcomp/decision.h"
#include "server/svcomp/specification.h"
#include "server/svcomp/violation.h"
#include "server/svcomp/witness.h"
#include "server/version.h"

namespace heddle {
namespace {

using svcomp::Answer;
using svcomp::Decision;
using svcomp::Specification;
using svcomp::Witness;

/// The task as one of Heddle's explorations. What is never written has any value, as the rules have it.
CheckCommand taskOf(const CheckCommand& command, Specification specification) {
  CheckCommand task = command;
  task.options.properties = svcomp::propertiesOf(specification);
  task.environment.undefinedIsInput = true;
  task.environment.checkLeaks =
      specification == Specification::MemSafety || specification == Specification::MemCleanup;
  // No configuration of a folder says how a task is to be understood.
  task.given.insert({"properties", "entry", "unknown", "args", "signals", "noSignals", "environment"});
  if (command.svcomp.dataModel.empty() || command.flagsGiven) return task;
  task.flags.emplace_back(command.svcomp.dataModel == "ILP32" ? "-m32" : "-m64");
  task.flagsGiven = true;
  return task;
}

std::string timeNow() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/// Of a name, as RFC 9562 has version 8: the same for the same content.
std::string uuidOf(const std::string& content) {
  std::string digits = sha256Of(content).substr(0, 32);
  digits[12] = '8';
  digits[16] = "89ab"[(digits[16] >= 'a' ? digits[16] - 'a' + 10 : digits[16] - '0') & 3];
  return digits.substr(0, 8) + "-" + digits.substr(8, 4) + "-" + digits.substr(12, 4) + "-" +
         digits.substr(16, 4) + "-" + digits.substr(20);
}

Witness witnessOf(const Decision& verdict, const SourceFile& file, const std::string& specification,
                  const std::string& dataModel) {
  Witness witness;
  witness.isViolation = verdict.answer == Answer::False;
  if (verdict.finding) {
    witness.segments = svcomp::segmentsOf(*verdict.finding, file.given, file.text);
    if (verdict.finding->threads.size() > 1) witness.version = "2.2";
  }
  witness.time = timeNow();
  witness.producer = "Heddle";
  witness.producerVersion = heddleVersion();
  witness.files.push_back({file.given, sha256Of(file.text)});
  witness.specification = specification;
  witness.dataModel = dataModel.empty() ? "LP64" : dataModel;
  witness.uuid = uuidOf(toYaml(witness));
  return witness;
}

bool writeWitness(const std::string& path, const Witness& witness, std::ostream& err) {
  std::ofstream out(path, std::ios::binary);
  out << toYaml(witness);
  out.close();
  if (out) return true;
  err << "heddle: error: " << path << ": cannot be written; check the path and its permissions\n";
  return false;
}

/// One line on what became of the witness that was looked for.
std::string validationText(const Witness& witness, const Decision& verdict, const SourceFile& file) {
  const auto named = std::find_if(witness.files.begin(), witness.files.end(),
                                  [&](const auto& each) { return each.hash == sha256Of(file.text); });
  std::string note;
  if (named == witness.files.end()) note = " (it was made for another text than this)";
  if (!witness.isViolation) {
    const std::string unused = witness.invariants == 0 ? "" : ", without its invariants";
    if (verdict.answer == Answer::True) return "confirmed: the program is correct" + unused + note;
    if (verdict.answer == Answer::False) return "refuted: the program violates the specification" + note;
    return "unknown" + note;
  }
  if (verdict.answer == Answer::True) return "refuted: no execution violates the specification" + note;
  if (verdict.answer == Answer::Unknown) return "unknown" + note;
  if (svcomp::endsAtTarget(witness, *verdict.finding, file.given, file.text))
    return "confirmed: an execution ends at its target" + note;
  return "unknown: the specification is violated, but elsewhere" + note;
}

/// A finding at the witness's target comes before others.
Decision verdictFor(const Report& report, Specification specification, const std::optional<Witness>& wanted,
                    const SourceFile& file) {
  if (wanted && wanted->isViolation)
    for (const Finding& finding : report.findings)
      if (svcomp::endsAtTarget(*wanted, finding, file.given, file.text)) {
        Report one = report;
        one.findings = {finding};
        Decision verdict = svcomp::decisionOf(one, specification);
        verdict.finding = verdict.finding ? &finding : nullptr;
        if (verdict.answer == Answer::False) return verdict;
      }
  return svcomp::decisionOf(report, specification);
}

bool usageProblem(std::ostream& err, const std::string& text) {
  err << "heddle: error: " << text << '\n';
  return false;
}

/// What the command's files say.
struct Task {
  Specification specification = Specification::UnreachCall;
  std::string checks;
  std::optional<Witness> wanted;
  std::vector<SourceFile> sources;
};

bool readTask(const CheckCommand& command, Task& task, std::ostream& err) {
  std::string problem;
  const std::optional<SourceFile> property = readSource(command.svcomp.property, problem);
  if (!property) return usageProblem(err, problem);
  const auto specification = svcomp::parseSpecification(property->text, problem);
  if (!specification) return usageProblem(err, command.svcomp.property + ": " + problem);
  task.specification = *specification;
  task.checks = svcomp::checksIn(property->text);
  if (!command.svcomp.validate.empty()) {
    const std::optional<SourceFile> witness = readSource(command.svcomp.validate, problem);
    if (!witness) return usageProblem(err, problem);
    task.wanted = svcomp::parseWitness(witness->text, problem);
    if (!task.wanted) return usageProblem(err, command.svcomp.validate + ": " + problem);
  }
  return readSources(command.files, task.sources, err);
}

}  // namespace

int runSvcomp(const CheckCommand& command, const Engine& engine, Streams streams, std::stop_token stop) {
  Task task;
  if (!readTask(command, task, streams.err)) return kExitUsage;
  const ExplorationInput input =
      explorationOf(task.sources, taskOf(command, task.specification), engine, streams.err);
  const SourceFile& file = *input.files.first;
  Report report = engine.analyze(input.snapshot, input.options.options,
                                 budgetOf(input.options, std::move(stop)), Observer{});
  input.showAsWritten(report);

  const Decision verdict = verdictFor(report, task.specification, task.wanted, file);
  if (verdict.finding) streams.out << renderText(report, *verdict.finding, replayContextOf(input, command));
  if (!verdict.why.empty()) streams.out << "why: " << verdict.why << '\n';
  if (task.wanted) streams.out << "witness: " << validationText(*task.wanted, verdict, file) << '\n';
  streams.out << "verdict: " << toString(verdict) << '\n' << std::flush;
  if (!command.svcomp.witness.empty() && verdict.answer != Answer::Unknown &&
      !writeWitness(command.svcomp.witness, witnessOf(verdict, file, task.checks, command.svcomp.dataModel),
                    streams.err))
    return kExitUsage;
  if (verdict.answer == Answer::False) return kExitBug;
  if (verdict.answer == Answer::True) return kExitNoBug;
  return report.verdict == Verdict::Error ? kExitUsage : kExitIncomplete;
}

}  // namespace heddle
