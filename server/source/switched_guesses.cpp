#include "server/source/switched_guesses.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/compile/outer_switch.h"
#include "analysis/support/word.h"

namespace heddle {
namespace {

/// The words of the text that stand in no directive.
std::set<std::string, std::less<>> writtenWords(const std::string& text) {
  std::set<std::string, std::less<>> words;
  bool isDirective = false, isNewLine = true;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\n') {
      isDirective = isDirective && i > 0 && text[i - 1] == '\\';
      isNewLine = true;
    } else if (c == '#' && isNewLine) {
      isDirective = true;
    } else if (c != ' ' && c != '\t') {
      isNewLine = false;
    }
    size_t end = i;
    while (end < text.size() && isWordCharacter(text[end])) ++end;
    if (end > i && !isDirective) words.emplace(text.substr(i, end - i));
    i = std::max(end, i + 1);
  }
  return words;
}

/// The command or a header that a build makes says what the macro is.
bool isDecided(const CompileCommand& command, const std::string& text, const std::string& name) {
  // Options and their values are words of their own (option_filter.h).
  const auto names = [&](const std::string& value) {
    return value.compare(0, name.size(), name) == 0 &&
           (value.size() == name.size() || value[name.size()] == '=');
  };
  for (size_t i = 0; i + 1 < command.arguments.size(); ++i) {
    const std::string& option = command.arguments[i];
    if ((option == "-D" || option == "-U") && names(command.arguments[i + 1])) return true;
  }
  const auto has = [&](const std::string& of) {
    const std::string wanted = "#define " + name;
    const size_t at = of.find(wanted);
    return at != std::string::npos &&
           (at + wanted.size() == of.size() || !isWordCharacter(of[at + wanted.size()]));
  };
  return has(text) || std::any_of(command.made.begin(), command.made.end(),
                                  [&](const auto& made) { return has(made.second); });
}

/// The lines of a function: from its name to the next one's.
std::pair<uint32_t, uint32_t> linesOf(const std::set<uint32_t>& begins, uint32_t line) {
  const auto next = begins.upper_bound(line);
  return {next == begins.begin() ? line : *std::prev(next), next == begins.end() ? ~0u : *next - 1};
}

std::string namesText(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return ", where " + text + (names.size() == 1 ? " is" : " are") + " defined";
}

/// What the file says with the macros defined, headers that are missing being empty. Names of types that are
/// missing then are numbers: what the functions do to locks and which ways they take does not rest on them.
Survey readWith(const Snapshot& snapshot, const std::set<std::string>& names, const Budget& budget) {
  Snapshot again = snapshot;
  again.command.isPartial = true;
  for (const std::string& name : names)
    again.command.arguments.insert(again.command.arguments.end(), {"-D", name + "=1"});
  Survey survey = surveyOf(again, budget);
  if (survey.unknownTypes.empty() || !survey.problem.empty()) return survey;
  const std::string header = again.command.directory + "/heddle_types.h";
  std::string& text = again.command.made[header];
  for (const std::string& type : survey.unknownTypes) text += "typedef long " + type + ";\n";
  again.command.arguments.insert(again.command.arguments.end(), {"-include", header});
  return surveyOf(again, budget);
}

}  // namespace

std::vector<LockGuess> switchedGuesses(const Snapshot& snapshot, const HarnessPlan& plan,
                                       const Budget& budget) {
  std::vector<SwitchedLines> texts = switchedLines(snapshot.text);
  const std::set<std::string, std::less<>> written = writtenWords(snapshot.text);
  std::erase_if(texts, [&](const SwitchedLines& lines) {
    // A macro that is used has some other value than 1.
    return std::any_of(lines.names.begin(), lines.names.end(),
                       [&](const std::string& name) { return written.contains(name); }) ||
           std::all_of(lines.names.begin(), lines.names.end(), [&](const std::string& name) {
             return isDecided(snapshot.command, snapshot.text, name);
           });
  });
  const auto firstFunction = std::min_element(
      plan.functions.begin(), plan.functions.end(),
      [](const SurveyFunction& a, const SurveyFunction& b) { return a.place.line < b.place.line; });
  const uint32_t begin = firstFunction == plan.functions.end() ? 0 : firstFunction->place.line;
  std::erase_if(texts, [&](const SwitchedLines& lines) { return lines.last < begin; });
  if (texts.empty() && plan.leftOut.empty()) return {};
  std::set<std::string> names;
  for (const SwitchedLines& lines : texts) names.insert(lines.names.begin(), lines.names.end());
  const Survey survey = readWith(snapshot, names, budget);
  if (!survey.problem.empty()) return {};
  std::set<uint32_t> begins;
  for (const auto* functions : {&survey.functions, &survey.onlyRead})
    for (const SurveyFunction& function : *functions) begins.insert(function.place.line);
  for (const SourcePlace& place : survey.leftOut) begins.insert(place.line);
  std::vector<LockGuess> guesses;
  for (LockGuess& guess : lockGuesses(survey)) {
    const auto isKnown = [&](const LockGuess& known) {
      return known.line == guess.line && known.lock == guess.lock;
    };
    if (std::any_of(plan.guesses.begin(), plan.guesses.end(), isKnown)) continue;
    const auto [first, last] = linesOf(begins, guess.line);
    std::set<std::string> within;
    for (const SwitchedLines& lines : texts)
      if ((first <= lines.first && lines.last <= last) ||
          (lines.first <= guess.line && guess.line <= lines.last))
        within.insert(lines.names.begin(), lines.names.end());
    const bool wasLeftOut =
        std::any_of(plan.leftOut.begin(), plan.leftOut.end(),
                    [&](const SourcePlace& place) { return first <= place.line && place.line <= last; });
    if (within.empty() && !wasLeftOut) continue;
    if (!within.empty()) guess.why += namesText(within);
    guesses.push_back(std::move(guess));
  }
  return guesses;
}

}  // namespace heddle
