#include <algorithm>
#include <iterator>
#include <map>

#include "analysis/support/name_words.h"
#include "analysis/survey/lock_calls.h"
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

/// By its name or its structure's, the member is for functions of whoever uses the file; not those that lock
/// for it (`lock_callbacks.unlock`).
bool isOfUser(const std::string& member) {
  if (lockCallOf(member.substr(member.find('.') + 1)) != LockCall::None) return false;
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

/// A public function of the file, other than the one where the hook is called, that takes the lock; null:
/// none.
const SurveyFunction* takerOf(const Survey& survey, const HeldHook& hook) {
  const auto taker =
      std::find_if(survey.functions.begin(), survey.functions.end(), [&](const SurveyFunction& one) {
        return !one.isStatic && one.name != hook.function && one.taken.contains(hook.lock);
      });
  return taker == survey.functions.end() ? nullptr : &*taker;
}

/// Functions of the user that are called under a lock, whoever else takes it; once for each function and
/// lock.
std::vector<HeldHook> hooksUnderLocks(const Survey& survey, const ThreadFacts& facts,
                                      const Contexts& contexts) {
  std::vector<HeldHook> hooks;
  if (facts.hasRecursive) return hooks;
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
      if (lock != "?" && told.emplace(call.function, lock).second)
        hooks.push_back({lock, call.data, call.function, call.line});
    }
  }
  return hooks;
}

/// Those whose lock public functions of the file take.
void addHooksUnderLocks(const Survey& survey, const ThreadFacts& facts, const Contexts& contexts,
                        std::vector<LockGuess>& guesses) {
  for (const HeldHook& hook : hooksUnderLocks(survey, facts, contexts))
    if (const SurveyFunction* taker = takerOf(survey, hook))
      guesses.push_back({hook.lock, hook.function, {hook.line}, hook.line, toText(hook, taker->name)});
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

std::vector<HeldHook> heldHooks(const Survey& survey, const ThreadFacts& facts) {
  std::vector<HeldHook> hooks = hooksUnderLocks(survey, facts, callContextsOf(survey));
  std::erase_if(hooks, [&](const HeldHook& hook) { return takerOf(survey, hook) != nullptr; });
  return hooks;
}

std::string toText(const HeldHook& hook, const std::string& taker) {
  return "is held in '" + hook.function + "' where '" + hook.data +
         "' is called: what is called there cannot call '" + taker + "', which locks it";
}

}  // namespace heddle
