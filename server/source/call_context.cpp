#include "server/source/call_context.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "analysis/support/name_words.h"
#include "server/source/harness_object.h"

namespace heddle {
namespace {

using Locks = std::set<std::string>;

/// What a function does that waits for the end of threads, nobody does beside it; nor what a library does
/// before anybody can start one, by its name: "prof_boot2".
bool isOfOneThread(const SurveyFunction& function) {
  if (hasWord(function.name, {"boot", "boot0", "boot1", "boot2", "bootstrap"})) return true;
  const auto joins = [](const std::string& callee) { return callee.ends_with("join"); };
  return function.name == "main" || std::any_of(function.callees.begin(), function.callees.end(), joins);
}

bool isBeforeOrAfter(const SurveyFunction& function) {
  return isSetUp(function.name) || takesDown(function) || isOfOneThread(function);
}

bool isOfObject(const SurveyFunction& function) {
  return function.result.record != kNoRecord ||
         std::any_of(function.parameters.begin(), function.parameters.end(),
                     [](const auto& parameter) { return parameter.second.record != kNoRecord; });
}

/// There may be several objects, and threads that set up one each.
bool isAlone(const SurveyFunction& function) {
  return isOfOneThread(function) || (isBeforeOrAfter(function) && !isOfObject(function));
}

Locks common(const Locks& a, const Locks& b) {
  Locks both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  return both;
}

/// What holds by both. Programs of a project may have functions of one name, so each pass only takes away, or
/// the passes would have no end. True: `known` has changed.
bool meet(CallContext& known, const CallContext& other) {
  const CallContext before = known;
  if (other.held) known.held = known.held ? common(*known.held, *other.held) : other.held;
  known.isBeforeOrAfter &= other.isBeforeOrAfter;
  known.isAlone &= other.isAlone;
  return known.held != before.held || known.isBeforeOrAfter != before.isBeforeOrAfter ||
         known.isAlone != before.isAlone;
}

}  // namespace

std::map<std::string, CallContext> callContextsOf(const Survey& survey, bool isWhole) {
  std::map<std::string, CallContext> contexts;
  std::map<std::string, std::vector<const SurveyFunction*>> callers;
  for (const SurveyFunction& function : survey.functions)
    for (const std::string& callee : function.callees)
      if (callee != function.name) callers[callee].push_back(&function);
  const auto isInner = [&](const SurveyFunction& function) {
    return (function.isStatic || isWhole) && !survey.addressed.contains(function.name) &&
           callers.contains(function.name);
  };
  for (const SurveyFunction& function : survey.functions) {
    CallContext own;
    own.isBeforeOrAfter = isInner(function) || isBeforeOrAfter(function);
    own.isAlone = isInner(function) || isAlone(function);
    if (!isInner(function)) own.held = Locks{};
    meet(contexts.try_emplace(function.name, own).first->second, own);
  }
  for (bool isStable = false; !isStable;) {
    isStable = true;
    for (const SurveyFunction& function : survey.functions) {
      if (!isInner(function)) continue;
      CallContext found;
      found.isBeforeOrAfter = found.isAlone = true;
      for (const SurveyFunction* caller : callers[function.name]) {
        const CallContext& around = contexts[caller->name];
        found.isBeforeOrAfter &= around.isBeforeOrAfter;
        found.isAlone &= around.isAlone;
        if (!around.held) continue;
        Locks held = *around.held;
        const Locks& own = caller->heldAt.at(function.name);
        held.insert(own.begin(), own.end());
        found.held = found.held ? common(*found.held, held) : held;
      }
      found.isBeforeOrAfter |= isBeforeOrAfter(function);
      found.isAlone |= isAlone(function);
      isStable &= !meet(contexts[function.name], found);
    }
  }
  return contexts;
}

}  // namespace heddle
