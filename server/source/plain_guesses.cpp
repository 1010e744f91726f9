#include <algorithm>
#include <map>

#include "analysis/support/name_words.h"
#include "server/source/call_context.h"
#include "server/source/shared_guesses.h"

namespace heddle {
namespace {

using UsesByData = std::map<std::string, std::vector<const DataUse*>>;  // by data

bool holdsLock(const std::set<std::string>& held) {
  return std::any_of(held.begin(), held.end(), [](const std::string& lock) { return lock != kAtomically; });
}

/// Other threads may run beside the use, and nothing keeps them away.
class BareUses {
 public:
  explicit BareUses(const Survey& survey) : contexts_(callContextsOf(survey)) {
    for (const SurveyFunction& function : survey.functions) functions_.emplace(function.name, &function);
  }

  bool contains(const DataUse& use) const {
    const auto context = contexts_.find(use.function);
    const auto known = functions_.find(use.function);
    if (known == functions_.end() || context == contexts_.end()) return false;
    const SurveyFunction* function = known->second;
    if (context->second.isBeforeOrAfter || !context->second.held || holdsLock(*context->second.held))
      return false;
    // What the survey does not name, a lock that its function takes may guard.
    if (use.data.starts_with("*")) return !function->locks;
    const auto isOf = [&](const SurveyAccess& access) {
      return access.data == use.data && access.lines.contains(use.line);
    };
    return std::any_of(function->accesses.begin(), function->accesses.end(), isOf) &&
           std::none_of(function->accesses.begin(), function->accesses.end(),
                        [&](const SurveyAccess& access) {
                          return isOf(access) && (access.isOwn || holdsLock(access.held));
                        });
  }

 private:
  std::map<std::string, const SurveyFunction*> functions_;
  const std::map<std::string, CallContext> contexts_;
};

/// A plain write of what others change atomically.
void addPlainWrites(const UsesByData& uses, const BareUses& bare, std::vector<LockGuess>& guesses) {
  for (const auto& [data, all] : uses) {
    // Functions that say so in their names are for callers who need it; others of the file are not.
    const auto change = std::find_if(all.begin(), all.end(), [](const DataUse* use) {
      return use->kind == DataUse::Kind::Change && !hasWord(use->function, {"atomic", "atomically", "mt"});
    });
    if (change == all.end()) continue;
    std::set<std::string> told;
    for (const DataUse* use : all) {
      if (!use->isPlainWrite() || use->isOfMacro || !bare.contains(*use) ||
          !told.insert(use->function).second)
        continue;
      LockGuess guess{data, use->function, {use->line, (*change)->line}, use->line, ""};
      guess.why = "is written in '" + use->function + "' without an atomic operation" +
                  lineText("changed atomically", (*change)->line);
      guesses.push_back(std::move(guess));
    }
  }
}

/// One of many counters of a variable that is no atomic one as its neighbours.
void addPlainSteps(const ThreadFacts& facts, const UsesByData& uses, const BareUses& bare,
                   std::vector<LockGuess>& guesses) {
  std::map<std::string, std::set<std::string>> atomic;     // members, by variable
  std::set<std::pair<std::string, std::string>> changing;  // variable and function
  for (const DataUse& use : facts.uses) {
    if (use.variable.empty() || use.data.find('.') == std::string::npos || use.kind != DataUse::Kind::Change)
      continue;
    atomic[use.variable].insert(use.data);
    changing.emplace(use.variable, use.function);
  }
  constexpr size_t kLeastSiblings = 3;
  std::set<std::pair<std::string, std::string>> told;
  for (const DataUse& use : facts.uses) {
    if (use.kind != DataUse::Kind::Step || use.isOfMacro || use.variable.empty()) continue;
    const auto siblings = atomic.find(use.variable);
    if (siblings == atomic.end() || siblings->second.size() < kLeastSiblings) continue;
    const std::vector<const DataUse*>& own = uses.at(use.data);
    const bool isAtomic =
        std::any_of(own.begin(), own.end(), [](const DataUse* one) { return one->isAtomic(); });
    if (isAtomic || !changing.contains({use.variable, use.function}) || !bare.contains(use) ||
        !told.emplace(use.data, use.function).second)
      continue;
    LockGuess guess{use.data, use.function, {use.line}, use.line, ""};
    guess.why = "is counted in '" + use.function + "' without an atomic operation, as it does " +
                std::to_string(siblings->second.size()) + " other members of '" + use.variable + "'";
    guesses.push_back(std::move(guess));
  }
}

/// What is tested and then set to keep others away, who wait for it in a loop.
void addHandLocks(const ThreadFacts& facts, const UsesByData& uses, const BareUses& bare,
                  std::vector<LockGuess>& guesses) {
  for (const TestedAndSet& lock : facts.handLocks) {
    const auto all = uses.find(lock.data);
    if (!facts.spun.contains(lock.data) || all == uses.end()) continue;
    const auto use = std::find_if(all->second.begin(), all->second.end(), [&](const DataUse* one) {
      return one->function == lock.function && one->line == lock.set && one->isPlainWrite();
    });
    if (use == all->second.end() || !bare.contains(**use)) continue;
    LockGuess guess{lock.data, lock.function, {lock.line, lock.set}, lock.line, ""};
    guess.why = "is tested in '" + lock.function + "' and then set, which two threads may do at once" +
                lineText("set", lock.set);
    guesses.push_back(std::move(guess));
  }
}

}  // namespace

void addPlainGuesses(const Survey& survey, const ThreadFacts& facts, std::vector<LockGuess>& guesses) {
  const BareUses bare(survey);
  UsesByData uses;
  for (const DataUse& use : facts.uses) uses[use.data].push_back(&use);
  addPlainWrites(uses, bare, guesses);
  addPlainSteps(facts, uses, bare, guesses);
  addHandLocks(facts, uses, bare, guesses);
}

}  // namespace heddle
