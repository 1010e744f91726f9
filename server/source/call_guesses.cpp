#include <algorithm>
#include <iterator>
#include <map>

#include "analysis/support/name_words.h"
#include "server/source/call_context.h"
#include "server/source/shared_guesses.h"

namespace heddle {
namespace {

using Locks = std::set<std::string>;
using Contexts = std::map<std::string, CallContext>;

Locks heldAround(const Contexts& contexts, const std::string& function, const Locks& own) {
  Locks all = own;
  const auto context = contexts.find(function);
  if (context != contexts.end() && context->second.held)
    all.insert(context->second.held->begin(), context->second.held->end());
  all.erase(kAtomically);
  return all;
}

/// By its name or its structure's, the member is for functions of whoever uses the file.
bool isOfUser(const std::string& member) {
  const auto speaks = [](const std::string& name) {
    return hasWord(name, {"cb", "callback", "callbacks", "notify", "on", "listener"});
  };
  const size_t end = member.find('.');
  return speaks(member.substr(0, end)) || (end != std::string::npos && speaks(member.substr(end + 1)));
}

/// The lock that one of the file's own functions takes for this one; the name of what it was given does not
/// tell; empty: none.
std::string lockOfWrapper(const Survey& survey, const SurveyFunction& function) {
  for (const std::string& name : function.callees) {
    const SurveyFunction* callee = survey.find(name);
    if (callee && callee->taken.size() == 1 && callee->released.empty()) return *callee->taken.begin();
  }
  return "";
}

/// A function of the user that is called under a lock which functions for the user take; once for each.
void addHooksUnderLocks(const Survey& survey, const ThreadFacts& facts, const Contexts& contexts,
                        std::vector<LockGuess>& guesses) {
  if (facts.hasRecursive) return;
  std::set<std::pair<std::string, std::string>> told;
  for (const HookCall& call : facts.hookCalls) {
    const auto set = survey.hooks.find(call.data);
    const bool isSetByFile = set != survey.hooks.end() && !set->second.function.empty();
    if (isSetByFile || !isOfUser(call.data)) continue;
    const SurveyFunction* function = survey.find(call.function);
    if (!function) continue;
    Locks held;
    for (const SurveyAccess& access : function->accesses)
      if (access.data == call.data && access.lines.contains(call.line))
        held.insert(access.held.begin(), access.held.end());
    for (const std::string& name : heldAround(contexts, call.function, held)) {
      const bool isNamed = name.find('.') != std::string::npos || survey.bareLocks.contains(name);
      std::string lock = isNamed ? name : lockOfWrapper(survey, *function);
      if (lock.empty()) lock = name;
      const auto taker =
          std::find_if(survey.functions.begin(), survey.functions.end(), [&](const SurveyFunction& one) {
            return !one.isStatic && one.name != call.function && one.taken.contains(lock);
          });
      if (lock == "?" || taker == survey.functions.end() || !told.emplace(call.function, lock).second)
        continue;
      LockGuess guess{lock, call.function, {call.line}, call.line, ""};
      guess.why = "is held in '" + call.function + "' where '" + call.data +
                  "' is called: what is called there cannot call '" + taker->name + "', which locks it";
      guesses.push_back(std::move(guess));
    }
  }
}

/// Locks that a function has behind a call of it.
Locks takenFor(const Survey& survey, const SurveyFunction& caller) {
  Locks all = caller.taken;
  for (const std::string& name : caller.callees)
    if (const SurveyFunction* callee = survey.findAny(name))
      std::copy_if(callee->taken.begin(), callee->taken.end(), std::inserter(all, all.end()),
                   [&](const std::string& lock) { return !callee->released.contains(lock); });
  return all;
}

/// What is asserted is held around all calls of the function.
Survey withAsserted(const Survey& survey, const ThreadFacts& facts) {
  Survey with;
  with.addressed = survey.addressed;
  with.functions = survey.functions;
  for (const LockAssertion& one : facts.assertions)
    for (SurveyFunction& function : with.functions)
      if (function.name == one.function)
        for (auto& [callee, held] : function.heldAt) held.insert(one.lock);
  return with;
}

/// What a callee asserts and its caller, which knows of locks, does not have.
void addUnheldAssertions(const Survey& survey, const ThreadFacts& facts, std::vector<LockGuess>& guesses) {
  if (facts.assertions.empty()) return;
  const Contexts contexts = callContextsOf(withAsserted(survey, facts));
  std::map<std::string, Locks> asserted;  // by function
  for (const LockAssertion& one : facts.assertions) asserted[one.function].insert(one.lock);
  for (const auto& [name, locks] : asserted) {
    const SurveyFunction* callee = survey.find(name);
    if (!callee) continue;
    for (const std::string& lock : locks) {
      if (callee->taken.contains(lock)) continue;  // for a part of it only
      for (const SurveyFunction& caller : survey.functions) {
        if (caller.name == name || !caller.callees.contains(name)) continue;
        const auto own = asserted.find(caller.name);
        for (const SurveyCall& call : caller.calls) {
          if (call.callee != name) continue;
          Locks held = heldAround(contexts, caller.name, call.held);
          if (own != asserted.end()) held.insert(own->second.begin(), own->second.end());
          if (held.empty() || held.contains("?") || held.contains(lock) ||
              takenFor(survey, caller).contains(lock))
            continue;
          LockGuess guess{lock, caller.name, {call.line}, call.line, ""};
          guess.why = "is asserted by '" + name + "', and '" + caller.name + "' calls it with '" +
                      *held.begin() + "' held only";
          guesses.push_back(std::move(guess));
          break;
        }
      }
    }
  }
}

}  // namespace

void addCallGuesses(const Survey& survey, const ThreadFacts& facts, std::vector<LockGuess>& guesses) {
  const Contexts contexts = callContextsOf(survey);
  addHooksUnderLocks(survey, facts, contexts, guesses);
  addUnheldAssertions(survey, facts, guesses);
}

}  // namespace heddle
