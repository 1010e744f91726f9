#include "server/driver/exploration_input.h"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>
#include <sstream>

#include "analysis/compile/named_database.h"
#include "analysis/compile/program_commands.h"
#include "server/config/config_file.h"
#include "server/driver/configured.h"
#include "server/project/near_files.h"
#include "server/sizes/size_constants.h"
#include "server/source/harness.h"
#include "server/source/outline.h"

namespace heddle {
namespace {

Snapshot snapshotOf(const SourceFile& file, const CommonOptions& common, const Engine& engine,
                    std::ostream& err) {
  Snapshot snapshot;
  snapshot.path = file.absolute;
  snapshot.text = file.text;
  snapshot.environment = common.environment;
  if (common.flagsGiven) {
    snapshot.command = engine.commandFromFlags(file.absolute, common.flags);
    // Where headers lie is not all there is to say: the rest is looked for as without it.
    if (namesOnlyFolders(snapshot.command)) {
      std::string problem;
      snapshot.command = withFolders(engine.findCommand(file.absolute, &problem), snapshot.command);
      if (!problem.empty()) err << "heddle: warning: " << problem << '\n';
    }
    for (const std::string& dropped : snapshot.command.dropped)
      err << "heddle: warning: flag '" << dropped
          << "' is ignored: it could load or run code, or changes the output\n";
  } else {
    std::string problem;
    std::optional<CompileCommand> named;
    if (!common.compileCommands.empty())
      named = commandInDatabase(common.compileCommands, file.absolute, problem);
    if (named && engine.chooseEntry) named = engine.chooseEntry(file.absolute, std::move(*named));
    snapshot.command =
        named ? std::move(*named) : engine.findCommand(file.absolute, problem.empty() ? &problem : nullptr);
    if (!problem.empty()) err << "heddle: warning: " << problem << '\n';
  }
  snapshot.command.isPartial = common.partial;
  return snapshot;
}

ExplorationInput inputOf(ProgramFiles files, CommonOptions common, const Engine& engine, std::ostream& err) {
  ExplorationInput input;
  input.files = std::move(files);
  input.snapshot = snapshotOf(*input.files.first, common, engine, err);
  for (const SourceFile* other : input.files.others) {
    Snapshot unit = snapshotOf(*other, common, engine, err);
    unit.command.isPartial |= input.files.areNear;
    input.snapshot.units.push_back({std::move(unit.path), std::move(unit.text), std::move(unit.command)});
  }
  input.snapshot.onlyNeededUnits = input.files.onlyNeeded;
  input.snapshot.filesAreFixed = input.files.areNear;
  std::vector<CompileCommand*> others;
  for (Unit& unit : input.snapshot.units) others.push_back(&unit.command);
  readAsOneProgram(input.snapshot.command, others);
  input.options = std::move(common);
  const SourceFile& first = *input.files.first;
  if (const auto harness = harnessText(first.text, input.options.options.entry)) {
    const PositionMap map(first.text);
    const TextPosition at = map.positionOf(harness->comment.begin, PositionEncoding::Utf8);
    input.harness = true;
    input.harnessPlace = {first.absolute, at.line + 1, at.character + 1, ""};
    input.snapshot.text = harness->text;
    input.options.options.entry = kHarnessEntry;
  } else if (input.options.options.harness.empty()) {
    input.options.options.harness = askedHarness(first.text, input.options.options.entry);
  }
  for (const auto& [name, value] : input.options.sizes) {
    if (auto changed = withSizes(input.snapshot, {{name, value}}))
      input.snapshot = std::move(*changed);
    else
      err << "heddle: warning: --size " << name
          << ": no macro, enumerator or const variable of that name is an integer in the program's own "
             "files\n";
  }
  return input;
}

/// The text defines no function of that name, or between #if and #endif only.
bool mayLackEntry(const std::string& text, const std::string& entry) {
  const CText lexed = lexC(text);
  const OutlineFunction* function = outlineOf(text, lexed).find(entry);
  return function == nullptr || isConditional(text, lexed, function->nameRange.begin);
}

/// Those from `first` on once more, with allocations that fail, unless the user has said how the system is:
/// calls alone, and the best side by side, in a part of the time.
void addFailingAllocations(std::vector<ExplorationInput>& inputs, size_t first) {
  const size_t count = inputs.size();
  for (size_t i = first; i < count; ++i) {
    const CommonOptions& common = inputs[i].options;
    if (inputs[i].isFurther || common.environment.mallocMayFail || common.given.contains("environment"))
      continue;
    ExplorationInput again = inputs[i];
    again.isFurther = !again.isAlone;
    again.options.environment.mallocMayFail = again.snapshot.environment.mallocMayFail = true;
    again.allocationsFail = true;
    inputs.push_back(std::move(again));
  }
}

/// The program, once for each harness of the plan that is worth it.
std::vector<ExplorationInput> onHarnesses(const ExplorationInput& input, const HarnessPlan& plan) {
  std::vector<ExplorationInput> inputs;
  const std::string& asked = input.options.options.harness;
  size_t chosen = 0;
  for (const bool isAlone : {false, true}) {
    const size_t first = inputs.size();
    for (const GeneratedHarness& harness : plan.harnesses) {
      const bool isWanted =
          asked.empty() ? isAlone || chosen < kMostHarnesses + kMostFurther : asked == harness.title;
      if (!isWanted || harness.isAlone != isAlone) continue;
      inputs.push_back(input);
      inputs.back().options.options.harness = harness.title;
      inputs.back().snapshot.filesAreFixed = true;
      inputs.back().generated = plan.harnesses.size();
      inputs.back().isAlone = isAlone && asked.empty();
      inputs.back().isFurther = !isAlone && asked.empty() && chosen >= kMostHarnesses;
      chosen += isAlone ? 0 : 1;
    }
    if (asked.empty()) addFailingAllocations(inputs, first);
  }
  return inputs;
}

/// What a look at the text has seen, with or without harnesses.
void tellPlan(const HarnessPlan& plan, bool hasHarnesses, const std::string& file, const std::string& entry,
              std::ostream& err) {
  if (!hasHarnesses && !plan.hasEntry && plan.problem.empty() && !plan.isPartial)
    err << "heddle: note: " << file << ": no function '" << entry
        << "', and no calls that are worth running side by side; say which: // heddle: harness f(x) || "
           "g(y)\n";
  for (const LockHabit& habit : plan.habits)
    err << "heddle: note: " << file << ':' << habit.without.begin()->second << ": '" << habit.data << "' is "
        << toText(habit) << "; a guess from the text\n";
  for (const LockGuess& guess : plan.guesses)
    err << "heddle: note: " << file << ':' << guess.line << ": '" << guess.lock << "' " << guess.why
        << "; a guess from the text\n";
  for (const auto& [function, why] : plan.skipped)
    if (!hasHarnesses) err << "heddle: note: " << function << " is not called: " << why << '\n';
}

/// The same program, once for each harness that is worth it; itself where it needs none or has none. Where
/// the file does not compile as a whole, it stands in front of those of what does, to say why.
std::vector<ExplorationInput> withHarnesses(ExplorationInput input, const Engine& engine, std::ostream& err) {
  const std::string& entry = input.options.options.entry;
  const bool isAsked = !input.harness && engine.harnesses && mayLackEntry(input.snapshot.text, entry);
  if (!isAsked) return {std::move(input)};
  ExplorationInput part = input;
  part.options.partial = part.snapshot.command.isPartial = true;
  const HarnessPlan plan = engine.harnesses(part.snapshot, entry, Budget{});
  // The compiler sees what the text does not show.
  if (plan.hasEntry) return {std::move(input)};
  std::vector<ExplorationInput> inputs = onHarnesses(plan.isPartial ? part : input, plan);
  tellPlan(plan, !inputs.empty(), input.files.first->given, entry, err);
  if (inputs.empty() || (plan.isPartial && !input.options.partial))
    inputs.insert(inputs.begin(), std::move(input));
  return inputs;
}

template <typename Result>
void showAsGivenAll(Result& result, const ProgramFiles& files) {
  showAsGiven(result, *files.first);
  for (const SourceFile* other : files.others) showAsGiven(result, *other);
}

}  // namespace

/// Functions that some execution came to.
static std::set<std::string> reachedIn(const Report& report) {
  std::set<std::string> functions;
  for (const SourcePlace& place : report.reached) functions.insert(place.function);
  if (report.reach)
    for (const Unreached& what : report.reach->unreached)
      if (what.kind == Unreached::Kind::Function) functions.erase(what.function);
  return functions;
}

std::vector<ExplorationInput> callsNotReached(const ExplorationInput& program, const Report& report,
                                              const Engine& engine, std::ostream& err) {
  const bool isOpen = report.verdict == Verdict::Incomplete || report.verdict == Verdict::Unsupported ||
                      (report.verdict == Verdict::Violated && report.stats.openLeaves != 0);
  const bool isVerified =
      report.verdict == Verdict::Verified || report.verdict == Verdict::VerifiedWithinBounds;
  const Options& options = program.options.options;
  // A checkpoint is of one program.
  const bool isProgram =
      program.generated == 0 && !program.harness && options.harness.empty() && options.checkpoint.empty();
  if (!engine.harnesses || !isProgram || (!isOpen && !isVerified)) return {};
  // What nothing is known of says nothing of what it came to.
  if ((!report.reach || report.reached.empty()) && isVerified) return {};
  const std::set<std::string> reached = reachedIn(report);
  HarnessPlan plan = engine.harnesses(program.snapshot, options.entry, Budget{});
  if (!plan.hasEntry) return {};
  const auto isReached = [&](const std::string& function) { return reached.contains(function); };
  std::erase_if(plan.harnesses, [&](const GeneratedHarness& harness) {
    return std::any_of(harness.functions.begin(), harness.functions.end(), isReached);
  });
  std::erase_if(plan.guesses, [&](const LockGuess& guess) { return !isOpen && isReached(guess.function); });
  // Which functions of several go together, an exploration that comes to some of them has seen.
  if (!isOpen) plan.habits.clear();
  tellPlan(plan, true, program.files.first->given, options.entry, err);
  return onHarnesses(program, plan);
}

std::string ExplorationInput::withoutHarness(const std::string& path, const std::string& text) const {
  if (!harness || path != snapshot.path) return text;
  const std::string added = snapshot.text.substr(std::min(snapshot.text.size(), files.first->text.size()));
  return text.ends_with(added) ? text.substr(0, text.size() - added.size()) : text;
}

void ExplorationInput::showAsWritten(Report& report) const {
  const PositionMap map(files.first->text);
  MovedPlaces places(files.first->absolute, map, map);
  if (harness) places.setBeyond(harnessPlace);
  places.move(report);
  showAsGivenAll(report, files);
}

void ExplorationInput::showAsWritten(ReplayResult& result) const {
  const PositionMap map(files.first->text);
  MovedPlaces places(files.first->absolute, map, map);
  if (harness) places.setBeyond(harnessPlace);
  for (Step& step : result.steps) places.move(step.place);
  for (InputValue& value : result.inputs) places.move(value.place);
  for (Finding& failure : result.failures) places.move(failure);
  showAsGivenAll(result, files);
}

std::vector<SourceFile> filesNear(const std::vector<SourceFile>& files, const CommonOptions& common) {
  const SourceFile& first = files.front();
  const std::string& entry = common.options.entry;
  if (files.size() != 1 || first.given == "-" || harnessText(first.text, entry)) return {};
  if (!mayLackEntry(first.text, entry) && !mayNeedOthers(first.text)) return {};
  std::vector<SourceFile> near;
  const std::filesystem::path here = std::filesystem::path(first.given).is_absolute()
                                         ? std::filesystem::path()
                                         : std::filesystem::path(first.absolute).parent_path();
  for (const std::string& path : nearFiles(first.absolute, first.text, {})) {
    std::string problem;
    const std::filesystem::path given = here.empty()
                                            ? std::filesystem::path(path)
                                            : std::filesystem::path(first.given).parent_path() /
                                                  std::filesystem::path(path).lexically_relative(here);
    if (auto file = readSource(given.lexically_normal().string(), problem)) near.push_back(std::move(*file));
  }
  return near;
}

std::vector<ExplorationInput> explorationsOf(const std::vector<SourceFile>& files,
                                             const CommonOptions& common, const Engine& engine,
                                             std::ostream& err, const std::vector<SourceFile>& near) {
  std::ostringstream told;  // the same file may hold for several programs
  const CommonOptions configured = withConfiguration(common, files.front().absolute, told);
  const auto defines = [&](const SourceFile& file) -> std::optional<bool> {
    if (!engine.definesFunction) return std::nullopt;
    std::ostringstream again;  // the exploration says it
    const Snapshot unit = snapshotOf(file, configured, engine, again);
    return engine.definesFunction(unit, configured.options.entry);
  };
  std::vector<ExplorationInput> inputs;
  for (ProgramFiles& program : programsOf(files, configured.options.entry, defines)) {
    const CommonOptions own = withConfiguration(common, program.first->absolute, told);
    if (program.others.empty() && !near.empty()) {
      for (const SourceFile& file : near) program.others.push_back(&file);
      program.onlyNeeded = program.areNear = true;
    }
    ExplorationInput input = inputOf(std::move(program), own, engine, err);
    for (ExplorationInput& one : withHarnesses(std::move(input), engine, err))
      inputs.push_back(std::move(one));
  }
  std::set<std::string> lines;
  std::istringstream list(told.str());
  for (std::string line; std::getline(list, line);)
    if (lines.insert(line).second) err << line << '\n';
  return inputs;
}

ExplorationInput explorationOf(const std::vector<SourceFile>& files, const CommonOptions& common,
                               const Engine& engine, std::ostream& err) {
  return explorationOf(programOf(files, common.onlyNeeded), common, engine, err);
}

ExplorationInput explorationOf(const ProgramFiles& files, const CommonOptions& common, const Engine& engine,
                               std::ostream& err) {
  return inputOf(files, withConfiguration(common, files.first->absolute, err), engine, err);
}

}  // namespace heddle
