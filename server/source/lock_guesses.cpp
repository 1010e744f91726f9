#include "server/source/lock_guesses.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <map>

#include "server/source/harness_object.h"
#include "server/source/thread_guesses.h"

namespace heddle {
namespace {

constexpr std::array kHandOver = {"lock", "acquire", "enter", "begin", "start", "hold", "get", "fork"};

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
    LockGuess guess{slip.lock, function.name, {slip.line}, slip.line, toText(slip, function.name)};
    if (slip.before != 0) guess.lines.insert(slip.before);
    guesses.push_back(std::move(guess));
  }
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

}  // namespace

std::string lineText(const char* what, uint32_t line) {
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
  addThreadGuesses(survey, guesses);
  std::stable_sort(guesses.begin(), guesses.end(),
                   [](const LockGuess& a, const LockGuess& b) { return a.line < b.line; });
  return guesses;
}

}  // namespace heddle
