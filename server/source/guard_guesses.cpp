#include "server/source/guard_guesses.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/support/name_words.h"
#include "analysis/survey/lock_calls.h"
#include "server/source/call_context.h"

namespace heddle {
namespace {

using Contexts = std::map<std::string, CallContext>;
using Locks = std::set<std::string>;

/// Locks around a place in the function.
Locks around(const CallContext& context, const Locks& held) {
  Locks all = held;
  if (context.held) all.insert(context.held->begin(), context.held->end());
  return all;
}

/// Other threads may run beside it.
bool isBeside(const CallContext& context) {
  return context.held && !context.isBeforeOrAfter;
}

/// A lock's result that one call drops, where most others test it.
void addDropped(const Survey& survey, std::vector<LockGuess>& guesses) {
  struct Uses {
    size_t tested = 0;
    std::vector<std::pair<const SurveyFunction*, uint32_t>> dropped;
  };
  std::map<std::string, Uses> uses;
  for (const SurveyFunction& function : survey.functions)
    for (const SurveyCall& call : function.calls) {
      if (!call.isFallibleLock) continue;
      if (call.isDropped)
        uses[call.callee].dropped.emplace_back(&function, call.line);
      else
        ++uses[call.callee].tested;
    }
  for (const auto& [callee, known] : uses) {
    if (known.tested < std::max<size_t>(known.dropped.size(), 1)) continue;
    for (const auto& [function, line] : known.dropped)
      guesses.push_back({callee,
                         function->name,
                         {line},
                         line,
                         "may fail to lock, and '" + function->name + "' goes on as if it had not; " +
                             std::to_string(known.tested) + " other calls look at the result"});
  }
}

/// By its name or its text, it is to be called with a lock held.
bool wantsLock(const SurveyFunction& function) {
  const bool isNamed = function.name.ends_with("_locked") || function.name.ends_with("Locked");
  // `queue_is_locked()` asks.
  const bool isQuestion = hasWord(function.name, {"is", "if", "un", "not", "when", "unlocked"});
  return (isNamed && !isQuestion && !function.locks) ||
         std::any_of(function.callees.begin(), function.callees.end(), isAssertionOfLock);
}

struct Call {
  const SurveyFunction* caller = nullptr;
  uint32_t line = 0;
  Locks held;
};

/// Calls that other threads may run beside.
std::map<std::string, std::vector<Call>> callsOf(const Survey& survey, const Contexts& contexts) {
  std::map<std::string, std::vector<Call>> calls;
  for (const SurveyFunction& caller : survey.functions) {
    const CallContext& context = contexts.at(caller.name);
    if (!isBeside(context)) continue;
    for (const SurveyCall& call : caller.calls)
      if (call.callee != caller.name && survey.find(call.callee))
        calls[call.callee].push_back({&caller, call.line, around(context, call.held)});
  }
  return calls;
}

/// What is to be called with a lock, called with none; others of the file show how it is meant.
void addContracts(const SurveyFunction& callee, const std::vector<Call>& calls,
                  std::vector<LockGuess>& guesses) {
  if (!wantsLock(callee)) return;
  const size_t with = static_cast<size_t>(
      std::count_if(calls.begin(), calls.end(), [](const Call& call) { return !call.held.empty(); }));
  for (const Call& call : calls) {
    if (!call.held.empty() || wantsLock(*call.caller) || with == 0 || with < calls.size() - with) continue;
    guesses.push_back({callee.name,
                       call.caller->name,
                       {call.line},
                       call.line,
                       "is called in '" + call.caller->name + "' with no lock held, and expects one by its " +
                           (callee.name.ends_with("ocked") ? "name" : "assertion")});
  }
}

}  // namespace

void addGuardGuesses(const Survey& survey, std::vector<LockGuess>& guesses) {
  addDropped(survey, guesses);
  for (const auto& [name, calls] : callsOf(survey, callContextsOf(survey)))
    addContracts(*survey.find(name), calls, guesses);
}

}  // namespace heddle
