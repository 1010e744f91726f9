#include "server/source/lock_guesses.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <map>

#include "analysis/support/name_words.h"
#include "server/source/guard_guesses.h"
#include "server/source/harness_object.h"
#include "server/source/order_guesses.h"
#include "server/source/shared_guesses.h"
#include "server/source/signal_guesses.h"
#include "server/source/thread_guesses.h"
#include "server/source/value_guesses.h"

namespace heddle {
namespace {

constexpr std::array kHandOver = {"lock", "acquire", "enter", "begin", "start", "hold", "get", "fork"};

/// Words of functions whose object is new, or is that of a new process.
constexpr std::array<std::string_view, 24> kBegins = {
    "start",  "begin", "add",     "insert",      "register", "clone",  "copy",   "dup",
    "fork",   "child", "main",    "construct",   "connect",  "accept", "attach", "load",
    "enable", "test",  "prepare", "constructor", "ctor",     "launch", "set",    "spawn"};

std::string toText(const LockSlip& slip, const std::string& function) {
  const std::string in = " in '" + function + "'";
  switch (slip.kind) {
    case LockSlip::Kind::Kept:
      return "is still locked on this way through '" + function + "', and others release it" +
             lineText("locked", slip.before);
    case LockSlip::Kind::ReleasedTwice:
      return "is released again" + in + lineText("released", slip.before);
    case LockSlip::Kind::TakenTwice:
      return "is locked again" + in + (slip.callee.empty() ? "" : " by '" + slip.callee + "'") +
             lineText("locked", slip.before);
    case LockSlip::Kind::WaitedOnce:
      return "is waited for once" + in + ", outside of a loop: a wait may also end without a signal";
    case LockSlip::Kind::DestroyedTwice:
      return slip.before == 0 ? "is destroyed" + in + " in each turn of a loop"
                              : "is destroyed again" + in + lineText("destroyed", slip.before);
    case LockSlip::Kind::EndedUnbegun:
      return "is destroyed" + in + " where it is not initialized yet" + lineText("initialized", slip.before);
    case LockSlip::Kind::BegunLate:
      return "is initialized" + in + " after it was used" + lineText("used", slip.before);
    case LockSlip::Kind::UsedDestroyed:
      return "is used" + in + " after its end" + lineText("destroyed", slip.before);
    case LockSlip::Kind::Copied:
      return "is passed to '" + function + "' by value: that is a copy, which keeps nobody else away";
    case LockSlip::Kind::Destroyed:
      return "is destroyed" + in + " while it is locked" + lineText("locked", slip.before);
  }
  return "";
}

/// All whose ways can be told, those that do not compile behind the others.
std::vector<std::reference_wrapper<const SurveyFunction>> readOf(const Survey& survey) {
  std::vector<std::reference_wrapper<const SurveyFunction>> functions(survey.functions.begin(),
                                                                      survey.functions.end());
  functions.insert(functions.end(), survey.onlyRead.begin(), survey.onlyRead.end());
  return functions;
}

/// Named like a function that gives its caller a lock.
bool handsOver(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::any_of(kHandOver.begin(), kHandOver.end(),
                     [&](const char* word) { return name.find(word) != std::string::npos; });
}

void addSlips(const SurveyFunction& function, std::vector<LockGuess>& guesses) {
  for (const LockSlip& slip : function.slips) {
    // That is usual where nobody uses it any more.
    if (slip.kind == LockSlip::Kind::Destroyed && takesDown(function)) continue;
    // The child of a fork has locks that threads of its parent held.
    if (slip.kind == LockSlip::Kind::BegunLate && hasWord(function.name, {"fork", "child"})) continue;
    LockGuess guess{slip.lock, function.name, {slip.line}, slip.line, toText(slip, function.name)};
    if (slip.before != 0) guess.lines.insert(slip.before);
    guesses.push_back(std::move(guess));
  }
}

/// A static lock that the file uses and never initializes: what is all zero works on some systems only.
void addBare(const Survey& survey, std::vector<LockGuess>& guesses) {
  for (const auto& [name, line] : survey.bareLocks) {
    const auto user = std::find_if(survey.functions.begin(), survey.functions.end(),
                                   [&, &name = name](const SurveyFunction& function) {
                                     return function.taken.contains(name) || function.signals.contains(name);
                                   });
    if (user != survey.functions.end())
      guesses.push_back(
          {name, user->name, {line}, line, "is used in '" + user->name + "' and initialized nowhere"});
  }
}

/// A condition that nobody can signal.
void addSilent(const Survey& survey, std::vector<LockGuess>& guesses) {
  for (const auto& [name, wait] : survey.silentConditions)
    guesses.push_back({name,
                       wait.function,
                       {wait.line},
                       wait.line,
                       "is waited for in '" + wait.function + "', and nothing signals it"});
}

/// A lock that one function takes and no way of it releases, while others of the file take and release it.
void addKept(const Survey& survey, std::vector<LockGuess>& guesses) {
  std::map<std::string, size_t> users;
  std::set<std::string> handedOver;
  std::map<std::string, size_t> keepers;
  for (const SurveyFunction& function : readOf(survey)) {
    handedOver.insert(function.releasesFirst.begin(), function.releasesFirst.end());
    for (const auto& [name, line] : function.kept) ++keepers[name];
    for (const std::string& name : function.taken)
      if (function.released.contains(name) && !function.kept.contains(name)) ++users[name];
  }
  constexpr size_t kLeastUsers = 2;
  for (const SurveyFunction& function : readOf(survey))
    for (const auto& [name, line] : function.kept) {
      const bool isMeant = handedOver.contains(name) || keepers[name] > 1 || users[name] < kLeastUsers ||
                           handsOver(function.name);
      if (!isMeant)
        guesses.push_back({name,
                           function.name,
                           {line},
                           line,
                           "is locked by '" + function.name + "', and no way releases it"});
    }
}

/// Two locks that functions of the file take in both orders.
void addOrders(const Survey& survey, std::vector<LockGuess>& guesses) {
  struct Place {
    std::string function;
    uint32_t line = 0;
  };
  std::map<std::pair<std::string, std::string>, Place> places;
  for (const SurveyFunction& function : readOf(survey))
    for (const auto& [locks, line] : function.order) places.try_emplace(locks, Place{function.name, line});
  for (const auto& [locks, place] : places) {
    const auto other = places.find({locks.second, locks.first});
    if (other == places.end() || locks.second < locks.first) continue;
    const std::string elsewhere =
        "line " + std::to_string(other->second.line) + " ('" + other->second.function + "')";
    guesses.push_back({locks.second,
                       place.function,
                       {place.line, other->second.line},
                       place.line,
                       orderText(locks.first, elsewhere)});
  }
}

/// Whether it and all who call it only set up: what they are given is not in use yet.
class SetUps {
 public:
  explicit SetUps(const Survey& survey) : survey_(survey) {
    for (const SurveyFunction& function : survey.functions)
      for (const std::string& callee : function.callees) callers_[callee].push_back(&function);
  }

  bool contains(const SurveyFunction& function) {
    if (isSetUp(function.name) || hasWord(function.name, kBegins)) return true;
    const auto [known, isNew] = known_.try_emplace(function.name, true);
    if (!isNew) return known->second;
    const auto callers = callers_.find(function.name);
    const bool isInner =
        function.isStatic && !survey_.addressed.contains(function.name) && callers != callers_.end();
    const bool isOnly =
        isInner && std::all_of(callers->second.begin(), callers->second.end(),
                               [&](const SurveyFunction* caller) { return contains(*caller); });
    return known_[function.name] = isOnly;
  }

 private:
  const Survey& survey_;
  std::map<std::string, std::vector<const SurveyFunction*>> callers_;
  std::map<std::string, bool> known_;
};

/// A lock of an object in use that is initialized as the object's set-up has done before.
void addInitializedAgain(const Survey& survey, std::vector<LockGuess>& guesses) {
  SetUps setUps(survey);
  for (const SurveyFunction& function : survey.functions) {
    if (function.initializesGiven.empty() || setUps.contains(function)) continue;
    std::set<uint32_t> told;  // a call may initialize several
    for (const auto& [name, line] : function.initializesGiven) {
      // It is told of the innermost.
      const bool isOfCallee =
          std::any_of(survey.functions.begin(), survey.functions.end(), [&, &name = name](const auto& other) {
            return function.callees.contains(other.name) && other.initializesGiven.contains(name) &&
                   !setUps.contains(other);
          });
      if (isOfCallee) continue;
      const bool isKnown =
          std::any_of(survey.functions.begin(), survey.functions.end(), [&, &name = name](const auto& other) {
            return other.name != function.name && setUps.contains(other) &&
                   other.initializes.contains(name) && !function.callees.contains(other.name);
          });
      if (isKnown && told.insert(line).second)
        guesses.push_back(
            {name,
             function.name,
             {line},
             line,
             "is initialized again in '" + function.name + "', and nothing destroys it before"});
    }
  }
}

}  // namespace

std::string lineText(const char* what, uint32_t line) {
  if (line == 0) return "";
  return std::string(" (") + what + " in line " + std::to_string(line) + ')';
}

std::string orderText(const std::string& first, const std::string& elsewhere) {
  return "is locked under '" + first + "' here, and '" + first + "' is locked under it in " + elsewhere;
}

std::vector<LockGuess> lockGuesses(const Survey& survey) {
  std::vector<LockGuess> guesses;
  for (const SurveyFunction& function : readOf(survey)) addSlips(function, guesses);
  addKept(survey, guesses);
  addOrders(survey, guesses);
  addBare(survey, guesses);
  addSilent(survey, guesses);
  addInitializedAgain(survey, guesses);
  addThreadGuesses(survey, guesses);
  addGuardGuesses(survey, guesses);
  addSignalGuesses(survey, guesses);
  addValueGuesses(survey, guesses);
  addOrderGuesses(survey, guesses);
  addPlainGuesses(survey, survey.threadFacts, guesses);
  addFlagGuesses(survey, survey.threadFacts, guesses);
  addCallGuesses(survey, survey.threadFacts, guesses);
  std::stable_sort(guesses.begin(), guesses.end(),
                   [](const LockGuess& a, const LockGuess& b) { return a.line < b.line; });
  return guesses;
}

}  // namespace heddle
