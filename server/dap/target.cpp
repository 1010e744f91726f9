#include "server/dap/target.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "server/driver/check.h"
#include "server/driver/cover.h"
#include "server/harness_engine.h"

namespace heddle::dap {

namespace {

// Of the budget: as `check` gives calls side by side behind the best.
constexpr double kPartOfFurther = 0.1;

std::string oneLine(std::string text) {
  constexpr std::string_view kPrefix = "heddle: error: ";
  if (text.starts_with(kPrefix)) text.erase(0, kPrefix.size());
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// One word or a list of them; nullopt: neither.
std::optional<std::vector<std::string>> wordsOf(const json& value) {
  std::vector<std::string> words;
  if (value.is_string()) return std::vector<std::string>{value.get<std::string>()};
  if (!value.is_array()) return std::nullopt;
  for (const json& word : value) {
    if (!word.is_string()) return std::nullopt;
    words.push_back(word.get<std::string>());
  }
  return words;
}

/// The finding that the number (from 1) or id names; without one the first.
const Finding* chosenOf(const Report& report, const std::string& wanted, size_t& before) {
  if (wanted.empty()) return report.findings.empty() ? nullptr : &report.findings.front();
  size_t number = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  if (error == std::errc() && end == wanted.data() + wanted.size()) {
    if (number > before && number - before <= report.findings.size())
      return &report.findings[number - before - 1];
    before += report.findings.size();
    return nullptr;
  }
  for (const auto* list : {&report.findings, &report.warnings})
    for (const Finding& finding : *list)
      if (finding.id == wanted) return &finding;
  return nullptr;
}

class Opener {
 public:
  Opener(const LaunchArguments& arguments, const Engine& engine, std::string userFolder, std::stop_token stop,
         const std::function<void(const std::string&)>& told)
      : arguments_(arguments),
        engine_(engine),
        userFolder_(std::move(userFolder)),
        stop_(std::move(stop)),
        told_(told) {}

  Target open() {
    const std::optional<std::vector<std::string>> files = wordsOf(arguments_.program);
    if (!files || files->empty())
      return fail("launch needs 'program': a C file, or a list of the files of one program");
    std::vector<std::string> words = {arguments_.schedule ? "replay" : "check"};
    for (const std::string& option : arguments_.options.value_or(std::vector<std::string>{}))
      words.push_back(option);
    for (const std::string& file : *files) words.push_back(absolute(file));
    if (arguments_.schedule) words.push_back(*arguments_.schedule);
    if (arguments_.flags) {
      words.emplace_back("--");
      words.insert(words.end(), arguments_.flags->begin(), arguments_.flags->end());
    }
    Command command = parseCommandLine(words);
    if (const auto* exit = std::get_if<ExitNow>(&command)) return fail(oneLine(exit->text));
    if (auto* replay = std::get_if<ReplayCommand>(&command)) return openSchedule(*replay);
    if (auto* check = std::get_if<CheckCommand>(&command)) return openFinding(*check);
    return fail("the options are none of `heddle check`");
  }

 private:
  Target fail(std::string problem) {
    Target target = std::move(target_);
    target.problem = std::move(problem);
    return target;
  }
  std::string absolute(const std::string& file) const {
    if (!arguments_.cwd || std::filesystem::path(file).is_absolute()) return file;
    return (std::filesystem::path(*arguments_.cwd) / file).lexically_normal().string();
  }
  bool read(const std::vector<std::string>& paths) {
    std::ostringstream problems;
    if (readSources(paths, files_, problems)) return true;
    target_.problem = oneLine(problems.str());
    return false;
  }
  void note(std::ostringstream& told) {
    std::istringstream lines(told.str());
    for (std::string line; std::getline(lines, line);) target_.notes.push_back(line);
  }

  Target openSchedule(ReplayCommand& command) {
    command.userFolder = userFolder_;
    if (!read(command.files)) return std::move(target_);
    const std::optional<std::string> schedule = scheduleIn(command.schedule);
    if (!schedule) return fail(command.schedule + ": cannot be read; check the path");
    std::ostringstream told;
    const ExplorationInput input = explorationOf(files_, command, engine_, told);
    note(told);
    return travel(input, *schedule);
  }

  Target openFinding(CheckCommand& command) {
    command.userFolder = userFolder_;
    if (!read(command.files)) return std::move(target_);
    std::string wanted;
    if (arguments_.finding.is_string())
      wanted = arguments_.finding.get<std::string>();
    else if (arguments_.finding.is_number_unsigned())
      wanted = std::to_string(arguments_.finding.get<uint64_t>());
    else if (!arguments_.finding.is_null())
      return fail("'finding' is a number from 1, as `heddle check` lists them, or an id");
    std::ostringstream told;
    const std::vector<SourceFile> near = filesNear(files_, command);
    const std::vector<ExplorationInput> inputs = explorationsOf(files_, command, engine_, told, near);
    note(told);
    size_t before = 0, found = 0;
    std::string verdict;
    for (const ExplorationInput& input : inputs) {
      if (input.isAlone) continue;  // what it shows is only possible, and no number names it
      told_("checking " + input.files.first->given);
      // The first one is enough, but which is the first is known at the end.
      const Budget whole = budgetOf(input.options, stop_);
      const Report report = engine_.analyze(input.snapshot, input.options.options,
                                            input.isFurther ? whole.part(kPartOfFurther) : whole, Observer{});
      if (const Finding* finding = chosenOf(report, wanted, before)) {
        target_.claim = finding->explanation ? finding->explanation->claim : finding->message;
        target_.claimPlace = finding->place;
        return travel(input, finding->schedule);
      }
      if (report.verdict == Verdict::Error)
        return fail(input.files.first->given +
                    (report.problemPlace.line == 0 ? "" : ":" + std::to_string(report.problemPlace.line)) +
                    ": " + oneLine(report.problem));
      found += report.findings.size();
      verdict = std::string(toString(report.verdict)) + (report.problem.empty() ? "" : ": " + report.problem);
    }
    target_.noFinding = true;
    if (!wanted.empty() && found != 0)
      return fail("there is no finding '" + wanted + "': " + std::to_string(found) + " found");
    return fail("no finding in " + files_.front().given + " (" + oneLine(verdict) + ")");
  }

  Target travel(const ExplorationInput& input, const std::string& text) {
    const Budget budget = budgetOf(input.options, stop_);
    const ExploredInstead explored = exploredInstead(input.snapshot, input.options.options, budget);
    target_.file = input.snapshot.path;
    target_.ownText = input.files.first->text;
    target_.explored = explored.snapshot.text;
    target_.options = explored.options;
    std::string problem;
    const std::optional<Schedule> schedule = Schedule::parse(text, problem);
    if (!schedule) return fail("the schedule cannot be read: " + problem);
    const auto prepared = std::make_shared<const PreparedProgram>(
        prepare(explored.snapshot, explored.options.entry,
                explored.options.properties.contains(Property::Overflow), true));
    target_.travel = TimeTravel::open(prepared, explored.snapshot.text, *schedule, budget, problem);
    if (!target_.travel) return fail(oneLine(problem));
    return std::move(target_);
  }

  const LaunchArguments& arguments_;
  const Engine& engine_;
  const std::string userFolder_;
  const std::stop_token stop_;
  const std::function<void(const std::string&)>& told_;
  std::vector<SourceFile> files_;
  Target target_;
};

}  // namespace

Target openTarget(const LaunchArguments& arguments, const Engine& engine, const std::string& userFolder,
                  std::stop_token stop, const std::function<void(const std::string&)>& told) {
  return Opener(arguments, engine, userFolder, std::move(stop), told).open();
}

}  // namespace heddle::dap
