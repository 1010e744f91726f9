#include "server/source/chosen_entry.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/survey/survey.h"
#include "server/schedule/text_of_file.h"
#include "server/source/harness_subject.h"
#include "server/source/linked_survey.h"
#include "server/source/switched_guesses.h"

namespace heddle {
namespace {

/// Of two commands of a file that say the same.
std::vector<std::string> keyOf(const CompileCommand& command) {
  std::vector<std::string> key = {command.directory};
  key.insert(key.end(), command.arguments.begin(), command.arguments.end());
  return key;
}

/// Looks once at each text with its commands: an editor asks again and again.
class EntryChooser {
 public:
  CompileCommand choose(const std::string& path, CompileCommand first) {
    constexpr std::chrono::seconds kLongest{5};
    if (first.others.empty()) return first;
    Look look;
    look.text = textOfFile(path).value_or("");
    look.commands.push_back(keyOf(first));
    for (const CompileCommand& other : first.others) look.commands.push_back(keyOf(other));
    if (const auto known = knownFor(path, look)) return withEntry(std::move(first), *known);
    Snapshot snapshot;
    snapshot.path = path;
    snapshot.text = look.text;
    for (size_t i = 0; i < look.commands.size(); ++i) {
      snapshot.command = i == 0 ? first : first.others[i - 1];
      snapshot.command.isPartial = true;
      auto survey = std::make_shared<const Survey>(surveyOf(snapshot, Budget::forDuration(kLongest)));
      const bool isFound = hasThreads(*survey);
      if (!isFound && survey->problem.empty()) look.without.insert(i);
      if (i == 0 || isFound) look.survey = std::move(survey);
      if (!isFound) continue;
      look.chosen = i;
      break;
    }
    const size_t chosen = look.chosen;
    const std::lock_guard<std::mutex> guard(mutex_);
    looks_[path] = std::move(look);
    return withEntry(std::move(first), chosen);
  }

  /// What choosing has read of the chosen entry, if it is of this snapshot; it is kept for one who asks.
  std::shared_ptr<const Survey> surveyOnce(const Snapshot& snapshot) {
    const std::lock_guard<std::mutex> guard(mutex_);
    const auto known = looks_.find(snapshot.path);
    if (known == looks_.end()) return nullptr;
    Look& look = known->second;
    const bool isOfThis = look.survey && snapshot.overlays.empty() && look.text == snapshot.text &&
                          look.commands[look.chosen] == keyOf(snapshot.command) &&
                          (snapshot.command.isPartial || !look.survey->isPartial);
    return isOfThis ? std::exchange(look.survey, nullptr) : nullptr;
  }

  /// Choosing has seen that the file of the snapshot has no threads under the command.
  bool isWithoutThreads(const Snapshot& snapshot, const CompileCommand& command) {
    const std::lock_guard<std::mutex> guard(mutex_);
    const auto known = looks_.find(snapshot.path);
    return known != looks_.end() && known->second.text == snapshot.text &&
           std::any_of(known->second.without.begin(), known->second.without.end(),
                       [&](size_t i) { return known->second.commands[i] == keyOf(command); });
  }

 private:
  struct Look {
    std::string text;
    std::vector<std::vector<std::string>> commands;
    size_t chosen = 0;
    std::set<size_t> without;              // commands under which the file has no threads
    std::shared_ptr<const Survey> survey;  // of the chosen one
  };

  std::optional<size_t> knownFor(const std::string& path, const Look& look) {
    const std::lock_guard<std::mutex> guard(mutex_);
    const auto known = looks_.find(path);
    if (known == looks_.end() || known->second.text != look.text || known->second.commands != look.commands)
      return std::nullopt;
    return known->second.chosen;
  }

  /// The others keep their order.
  static CompileCommand withEntry(CompileCommand first, size_t index) {
    if (index == 0) return first;
    std::vector<CompileCommand> others = std::exchange(first.others, {});
    CompileCommand chosen = std::move(others[index - 1]);
    others.erase(others.begin() + static_cast<ptrdiff_t>(index - 1));
    others.insert(others.begin(), std::move(first));
    chosen.others = std::move(others);
    return chosen;
  }

  std::mutex mutex_;  // guards what follows
  std::map<std::string, Look> looks_;
};

/// Adds what is not told yet.
void addGuesses(const HarnessPlan& more, HarnessPlan& plan) {
  for (const LockHabit& habit : more.habits) {
    const auto isSame = [&](const LockHabit& known) {
      return known.data == habit.data && known.without == habit.without;
    };
    if (std::none_of(plan.habits.begin(), plan.habits.end(), isSame)) plan.habits.push_back(habit);
  }
  for (const LockGuess& guess : more.guesses) {
    const auto key = [](const LockGuess& of) { return std::tie(of.line, of.lock, of.why); };
    const auto isSame = [&](const LockGuess& known) { return key(known) == key(guess); };
    if (std::none_of(plan.guesses.begin(), plan.guesses.end(), isSame)) plan.guesses.push_back(guess);
  }
  std::stable_sort(plan.guesses.begin(), plan.guesses.end(),
                   [](const LockGuess& a, const LockGuess& b) { return a.line < b.line; });
}

}  // namespace

Engine withChosenEntries(Engine engine) {
  Engine out = engine;
  const auto chooser = std::make_shared<EntryChooser>();
  out.findCommand = [find = engine.findCommand, chooser](const std::string& path, std::string* problem) {
    return chooser->choose(path, find(path, problem));
  };
  out.chooseEntry = [chooser](const std::string& path, CompileCommand found) {
    return chooser->choose(path, std::move(found));
  };
  out.harnesses = [look = engine.harnesses, chooser](const Snapshot& snapshot, const std::string& entry,
                                                     const Budget& budget) {
    const std::shared_ptr<const Survey> known = chooser->surveyOnce(snapshot);
    HarnessPlan plan =
        known ? planHarnesses(withLinked(*known, snapshot), entry, budget) : look(snapshot, entry, budget);
    for (const CompileCommand& other : snapshot.command.others) {
      if (budget.check() != StopReason::None) break;
      if (chooser->isWithoutThreads(snapshot, other)) continue;
      Snapshot again = snapshot;
      again.command = other;
      again.command.isPartial = snapshot.command.isPartial;
      const Survey survey = surveyOf(again, budget);
      // Nothing is meant to hold a lock where the file has none.
      if (!hasThreads(survey)) continue;
      HarnessPlan guessed;
      guessed.habits = lockHabits(survey);
      guessed.guesses = lockGuesses(survey);
      addGuesses(guessed, plan);
    }
    if (budget.check() == StopReason::None) {
      HarnessPlan guessed;
      guessed.guesses = switchedGuesses(snapshot, plan, budget);
      addGuesses(guessed, plan);
    }
    return plan;
  };
  return out;
}

}  // namespace heddle
