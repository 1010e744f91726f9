#include "server/driver/build.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <set>
#include <sstream>

#include "analysis/enforce/enforced_program.h"
#include "analysis/enforce/relax.h"
#include "server/driver/exploration_input.h"
#include "server/native/native_build.h"
#include "server/native/native_measure.h"
#include "server/render/duration_text.h"
#include "server/render/json_report.h"

namespace heddle {

namespace {

std::string constraintsText(size_t count) {
  return count == 0 ? "no constraint" : count == 1 ? "1 constraint" : std::to_string(count) + " constraints";
}

std::string enforcementText(const Enforcement& found) {
  std::string out = "  safe after " + secondsText(std::chrono::duration<double>(found.safeAfter)) +
                    ", under the constraints of " + toString(found.order) + " (best of " +
                    std::to_string(found.candidates) + ")\n";
  for (const RelaxStep& step : found.steps)
    out += "  " + std::string(step.proved ? "proved " : "not proved ") + "with " +
           constraintsText(step.prefix.constraints.size()) + " (" + toString(step.verdict) + ", " +
           std::to_string(step.executions) + " executions, " +
           secondsText(std::chrono::duration<double>(step.seconds)) + ")\n";
  for (const std::string& bound : found.bounds) out += "  within: " + bound + "\n";
  return out;
}

nlohmann::ordered_json enforcementJson(const Enforcement& found) {
  nlohmann::ordered_json object = {{"safe", found.found},
                                   {"verdict", toString(found.verdict)},
                                   {"safe_after_seconds", found.safeAfter},
                                   {"order", toString(found.order)},
                                   {"candidates", found.candidates},
                                   {"relaxed_to_the_end", found.wasRelaxed},
                                   {"bounds", found.bounds}};
  for (const RelaxStep& step : found.steps)
    object["steps"].push_back({{"constraints", step.prefix.constraints.size()},
                               {"proved", step.proved},
                               {"verdict", toString(step.verdict)},
                               {"executions", step.executions},
                               {"seconds", step.seconds},
                               {"since_start", step.sinceStart}});
  return object;
}

/// The program is there; what follows is about fewer constraints.
std::string firstText(const BuildCommand& command, const RelaxStep& step) {
  return command.output + ": runs safely under " + constraintsText(step.prefix.constraints.size()) +
         " from now on; it takes fewer from " + command.relaxFrom + " as they are proved\n";
}

/// What can be said of the cost without running anything.
std::string waitsText(const Prefix& prefix) {
  std::set<std::string> threads;
  for (const Constraint& constraint : prefix.constraints) threads.insert(constraint.then.thread);
  return std::to_string(threads.size()) + (threads.size() == 1 ? " thread waits" : " threads wait") + ", " +
         std::to_string(prefix.constraints.size()) + (prefix.constraints.size() == 1 ? " time" : " times");
}

std::string overheadText(const Prefix& prefix, const std::optional<Overhead>& overhead) {
  std::string out = "  overhead: " + waitsText(prefix);
  if (!overhead) return out + "; --measure N runs it and says what that costs\n";
  if (!overhead->problem.empty()) return out + "; not measured: " + overhead->problem + "\n";
  char text[80];
  std::snprintf(text, sizeof text, "; %.2f times the time without constraints (medians of %u runs)\n",
                overhead->ratio(), overhead->runs);
  return out + text;
}

nlohmann::ordered_json overheadJson(const Overhead& overhead) {
  if (!overhead.problem.empty()) return {{"problem", overhead.problem}};
  return {{"ratio", overhead.ratio()},
          {"runs", overhead.runs},
          {"seconds", overhead.seconds},
          {"seconds_without", overhead.secondsWithout}};
}

/// The program without constraints is made beside the other one, and goes.
Overhead measured(const ExplorationInput& input, const std::string& output,
                  const std::vector<std::string>& compilerOptions, unsigned runs) {
  Overhead overhead;
  const std::string plain = std::filesystem::absolute(output).string() + ".without-constraints";
  overhead.problem = problemWithOutput(plain);
  if (overhead.problem.empty()) {
    const NativeProgram native = enforcedProgram(input.snapshot, input.options.options, {});
    overhead.problem = native.problem;
    if (overhead.problem.empty()) overhead.problem = buildNative(native, plain, compilerOptions);
  }
  if (overhead.problem.empty())
    overhead = measureOverhead(std::filesystem::absolute(output).string(), plain, runs);
  std::error_code ignored;
  std::filesystem::remove(plain, ignored);
  return overhead;
}

std::optional<Prefix> readPrefix(const std::string& path, uint64_t fingerprint, std::string& problem) {
  std::ifstream stream(path);
  if (!stream) {
    problem = path + " cannot be read";
    return std::nullopt;
  }
  std::ostringstream text;
  text << stream.rdbuf();
  std::optional<Prefix> prefix = parsePrefix(text.str(), fingerprint, problem);
  if (!prefix) problem = path + ": " + problem;
  return prefix;
}

/// Whoever reads the file meanwhile finds the old text or the new one. A program takes nothing from a file
/// that others may write.
bool writePrefix(const std::string& path, const std::string& text) {
  const std::string beside = path + ".new";
  std::ofstream file(beside, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  using std::filesystem::perms;
  std::filesystem::permissions(
      beside, perms::owner_read | perms::owner_write | perms::group_read | perms::others_read, error);
  return file.good() && !error && std::rename(beside.c_str(), path.c_str()) == 0;
}

/// The program that a command asks for. With `--relax-from` it is made as soon as a first proof is there, and
/// may run while it is relaxed further.
class Building {
 public:
  Building(const ExplorationInput& input, const BuildCommand& command)
      : input_(input), command_(command), fingerprint_(textFingerprint(input.snapshot)) {
    if (!command.relaxFrom.empty()) relaxFrom_ = std::filesystem::absolute(command.relaxFrom).string();
    compilerOptions_.insert(compilerOptions_.end(), command.compilerOptions.begin(),
                            command.compilerOptions.end());
  }

  /// Empty, or what went wrong.
  std::string make(const Prefix& prefix) {
    const NativeProgram native =
        enforcedProgram(input_.snapshot, input_.options.options, prefix,
                        command_.shake ? EnforcedFor::Shaking : EnforcedFor::Running, relaxFrom_);
    const std::string problem =
        native.problem.empty() ? buildNative(native, command_.output, compilerOptions_) : native.problem;
    if (problem.empty()) constraints_ = prefix.constraints.size();
    return problem;
  }

  /// Empty, or what went wrong.
  std::string tell(const Prefix& prefix, const std::vector<Site>& sites) const {
    const std::string text = prefixText(prefix, fingerprint_, sites);
    for (const std::string& path : {command_.writePrefix, command_.prefix.empty() ? relaxFrom_ : ""})
      if (!path.empty() && !writePrefix(path, text)) return path + " cannot be written";
    return {};
  }

  /// Of the program that was made; none: there is none yet.
  const std::optional<size_t>& constraints() const { return constraints_; }
  const std::string& relaxFrom() const { return relaxFrom_; }
  const std::vector<std::string>& compilerOptions() const { return compilerOptions_; }
  uint64_t fingerprint() const { return fingerprint_; }

 private:
  const ExplorationInput& input_;
  const BuildCommand& command_;
  const uint64_t fingerprint_;
  std::string relaxFrom_;
  std::vector<std::string> compilerOptions_ = {"-O2"};
  std::optional<size_t> constraints_;
};

}  // namespace

int runBuild(const BuildCommand& command, const Engine& engine, Streams streams, std::stop_token stop) {
  std::vector<SourceFile> files;
  if (!readSources(command.files, files, streams.err)) return kExitUsage;
  const ExplorationInput input = explorationOf(files, command, engine, streams.err);
  const Options& options = input.options.options;
  const Budget budget = budgetOf(input.options, std::move(stop));
  Building building(input, command);
  std::string problem;
  Enforcement found;
  std::optional<Overhead> overhead;
  if (!command.enforce) {
    // As it is: what enforcement is compared with.
  } else if (!command.prefix.empty()) {
    const std::optional<Prefix> given = readPrefix(command.prefix, building.fingerprint(), problem);
    if (given) {
      found.prefix = *given;
      // Nobody is believed: it is proved again.
      const Report report = exploreEnforced(input.snapshot, options, *given, budget);
      found.found = report.findings.empty() &&
                    (report.verdict == Verdict::Verified || report.verdict == Verdict::VerifiedWithinBounds);
      found.verdict = report.verdict;
      if (!found.found)
        problem = command.prefix + ": the program is not proved to be safe under these constraints: " +
                  std::string(toString(report.verdict));
      markedProgram(input.snapshot, options, found.sites);
    }
  } else {
    EnforceOptions enforce;
    enforce.atLeast = command.atLeast;
    if (command.order == "in-turn") enforce.order = TraceOrder::InTurn;
    if (command.order == "last-first") enforce.order = TraceOrder::LastFirst;
    if (command.order == "alternating") enforce.order = TraceOrder::Alternating;
    std::vector<Site> sites;
    if (!command.writePrefix.empty() || !building.relaxFrom().empty())
      markedProgram(input.snapshot, options, sites);
    found = findEnforcement(input.snapshot, options, budget, enforce, [&](const RelaxStep& step) {
      if (!step.proved || sites.empty() || !problem.empty()) return;
      if (!building.relaxFrom().empty() && !building.constraints()) {
        problem = building.make(step.prefix);
        if (problem.empty() && command.format != Format::Json)
          streams.out << firstText(command, step) << std::flush;
      }
      if (problem.empty()) problem = building.tell(step.prefix, sites);
    });
    if (problem.empty() && !found.found) problem = found.problem;
  }
  nlohmann::ordered_json json = {{"file", files.front().given}, {"output", command.output}};
  if (command.enforce) json.update(enforcementJson(found));
  json["constraints"] = nlohmann::ordered_json::array();
  for (const Constraint& constraint : found.prefix.constraints)
    json["constraints"].push_back(describe(constraint, found.sites));
  if (problem.empty() && !building.constraints()) problem = building.make(found.prefix);
  if (problem.empty() && command.enforce) {
    problem = building.tell(found.prefix, found.sites);
    json["built_with_constraints"] = *building.constraints();
    if (command.measure != 0) {
      overhead = measured(input, command.output, building.compilerOptions(), command.measure);
      json["overhead"] = overheadJson(*overhead);
    }
  }
  json["problem"] = problem;
  if (command.format == Format::Json) {
    streams.out << dumpLine(json) << std::flush;
  } else if (problem.empty()) {
    if (command.enforce) {
      streams.out << command.output << ": safe to run under "
                  << constraintsText(found.prefix.constraints.size()) << " (" << toString(found.verdict)
                  << ")\n";
      for (const Constraint& constraint : found.prefix.constraints)
        streams.out << "  " << describe(constraint, found.sites) << '\n';
      streams.out << overheadText(found.prefix, overhead);
      if (!found.steps.empty()) streams.out << enforcementText(found);
    } else {
      streams.out << command.output << ": built, nothing is enforced\n";
    }
    streams.out << std::flush;
  }
  if (problem.empty()) return kExitNoBug;
  if (command.format != Format::Json)
    streams.err << "heddle: error: " << problem << '\n' << enforcementText(found);
  return budget.check() == StopReason::None ? kExitUsage : kExitIncomplete;
}

}  // namespace heddle
