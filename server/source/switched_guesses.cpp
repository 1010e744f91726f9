#include "server/source/switched_guesses.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/compile/outer_switch.h"
#include "analysis/support/name_words.h"
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

/// What the command, the text and the headers that a build makes say of macros.
class DecidedMacros {
 public:
  explicit DecidedMacros(const Snapshot& snapshot) {
    // Options and their values are words of their own (option_filter.h).
    const std::vector<std::string>& arguments = snapshot.command.arguments;
    for (size_t i = 0; i + 1 < arguments.size(); ++i) {
      const std::string name = arguments[i + 1].substr(0, arguments[i + 1].find('='));
      if (arguments[i] == "-D") on_.insert(name);
      if (arguments[i] == "-U") off_.insert(name);
    }
    addDefined(snapshot.text);
    for (const auto& [path, text] : snapshot.command.made) addDefined(text);
  }

  bool isOn(const std::string& name) const { return on_.contains(name); }
  bool isOff(const std::string& name) const { return off_.contains(name); }

 private:
  void addDefined(const std::string& text) {
    constexpr std::string_view kDefine = "define";
    for (size_t at = text.find(kDefine); at != std::string::npos; at = text.find(kDefine, at + 1)) {
      const size_t hash = text.find_last_not_of(" \t", at - (at == 0 ? 0 : 1));
      if (at == 0 || hash == std::string::npos || text[hash] != '#') continue;
      const size_t begin = text.find_first_not_of(" \t", at + kDefine.size());
      size_t end = begin;
      while (end < text.size() && isWordCharacter(text[end])) ++end;
      if (begin != std::string::npos) on_.insert(text.substr(begin, end - begin));
    }
  }

  std::set<std::string> on_, off_;
};

/// It asks for other behaviour of the same program, not for a part of it: nobody ships with it. Or it tells
/// the version of a library.
bool isOfDevelopers(const std::string& name) {
  return name.starts_with("DEBUG") || name.ends_with("_VERSION") ||
         hasWord(name, {"debug", "ndebug", "fuzz", "fuzzing", "fuzzer", "coverity", "lint", "splint", "klee",
                        "valgrind", "gcov", "trace"});
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
/// `types`: these names, where they are known.
Survey readWith(const Snapshot& snapshot, const std::set<std::string>& names, std::set<std::string> types,
                const Budget& budget) {
  Snapshot again = snapshot;
  again.command.isPartial = true;
  for (const std::string& name : names)
    again.command.arguments.insert(again.command.arguments.end(), {"-D", name + "=1"});
  if (types.empty()) {
    Survey survey = surveyOf(again, budget);
    if (survey.unknownTypes.empty() || !survey.problem.empty() || budget.check() != StopReason::None)
      return survey;
    types = survey.unknownTypes;
  }
  const std::string header = again.command.directory + "/heddle_types.h";
  std::string& text = again.command.made[header];
  for (const std::string& type : types) text += "typedef long " + type + ";\n";
  again.command.arguments.insert(again.command.arguments.end(), {"-include", header});
  return surveyOf(again, budget);
}

}  // namespace

std::vector<LockGuess> switchedGuesses(const Snapshot& snapshot, const HarnessPlan& plan,
                                       const Budget& budget) {
  std::vector<SwitchedLines> texts = switchedLines(snapshot.text);
  const std::set<std::string, std::less<>> written = writtenWords(snapshot.text);
  const DecidedMacros decided(snapshot);
  std::erase_if(texts, [&](SwitchedLines& lines) {
    // A macro that is used has some other value than 1.
    const bool isLeftOff = std::any_of(lines.names.begin(), lines.names.end(), [&](const std::string& name) {
      return written.contains(name) || decided.isOff(name) || isOfDevelopers(name);
    });
    std::erase_if(lines.names, [&](const std::string& name) { return decided.isOn(name); });
    return isLeftOff || lines.names.empty();
  });
  const auto firstFunction = std::min_element(
      plan.functions.begin(), plan.functions.end(),
      [](const SurveyFunction& a, const SurveyFunction& b) { return a.place.line < b.place.line; });
  const uint32_t begin = firstFunction == plan.functions.end() ? 0 : firstFunction->place.line;
  std::erase_if(texts, [&](const SwitchedLines& lines) { return lines.last < begin; });
  if (texts.empty() && plan.leftOut.empty()) return {};
  std::set<std::string> names;
  for (const SwitchedLines& lines : texts) names.insert(lines.names.begin(), lines.names.end());
  if (names.empty() && plan.unknownTypes.empty()) return {};
  const Survey survey =
      readWith(snapshot, names, names.empty() ? plan.unknownTypes : std::set<std::string>(), budget);
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
    const std::pair<uint32_t, uint32_t> lines = linesOf(begins, guess.line);
    const uint32_t first = lines.first, last = lines.second;
    std::set<std::string> within;
    for (const SwitchedLines& text : texts)
      if ((first <= text.first && text.last <= last) || (text.first <= guess.line && guess.line <= text.last))
        within.insert(text.names.begin(), text.names.end());
    const bool wasLeftOut =
        std::any_of(plan.leftOut.begin(), plan.leftOut.end(),
                    [&](const SourcePlace& place) { return first <= place.line && place.line <= last; });
    if (within.empty() && !wasLeftOut) continue;
    guess.why += within.empty() ? ", with types that are missing taken as numbers" : namesText(within);
    guesses.push_back(std::move(guess));
  }
  return guesses;
}

}  // namespace heddle
