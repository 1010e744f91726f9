#include "server/source/lock_habits.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "server/source/harness_object.h"

namespace heddle {
namespace {

// Read in real projects: with two lines, or half of them, most of what is told is meant so.
constexpr size_t kLeastWith = 3;   // lines under the lock that make a habit
constexpr size_t kLeastShare = 3;  // times as many as without it

using Locks = std::set<std::string>;

/// What holds for every call of a function of the file.
struct Context {
  std::optional<Locks> held;  // nothing: no caller is known yet
  bool isBeforeOrAfter = false;
};

/// What a function does that waits for the end of threads, nobody does beside it.
bool isBeforeOrAfter(const SurveyFunction& function) {
  const auto joins = [](const std::string& callee) { return callee.ends_with("join"); };
  return isSetUp(function.name) || takesDown(function) || function.name == "main" ||
         std::any_of(function.callees.begin(), function.callees.end(), joins);
}

Locks common(const Locks& a, const Locks& b) {
  Locks both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  return both;
}

/// The greatest solution: a static function whose address nobody takes is called as its callers in the file
/// call it.
std::map<std::string, Context> contextsOf(const Survey& survey) {
  std::map<std::string, Context> contexts;
  std::map<std::string, std::vector<const SurveyFunction*>> callers;
  for (const SurveyFunction& function : survey.functions)
    for (const std::string& callee : function.callees)
      if (callee != function.name) callers[callee].push_back(&function);
  const auto isInner = [&](const SurveyFunction& function) {
    return function.isStatic && !survey.addressed.contains(function.name) && callers.contains(function.name);
  };
  for (const SurveyFunction& function : survey.functions) {
    Context& context = contexts[function.name];
    context.isBeforeOrAfter = isInner(function) || isBeforeOrAfter(function);
    if (!isInner(function)) context.held = Locks{};
  }
  for (bool isStable = false; !isStable;) {
    isStable = true;
    for (const SurveyFunction& function : survey.functions) {
      if (!isInner(function)) continue;
      Context found;
      found.isBeforeOrAfter = true;
      for (const SurveyFunction* caller : callers[function.name]) {
        const Context& around = contexts[caller->name];
        found.isBeforeOrAfter &= around.isBeforeOrAfter;
        if (!around.held) continue;
        Locks held = *around.held;
        const Locks& own = caller->heldAt.at(function.name);
        held.insert(own.begin(), own.end());
        found.held = found.held ? common(*found.held, held) : held;
      }
      found.isBeforeOrAfter |= isBeforeOrAfter(function);
      Context& known = contexts[function.name];
      isStable &= known.held == found.held && known.isBeforeOrAfter == found.isBeforeOrAfter;
      known = found;
    }
  }
  return contexts;
}

/// "struct.member" of the same struct, or both of no struct: a lock that can be meant for the data.
bool isNear(const std::string& data, const std::string& lock) {
  return data.substr(0, data.find('.') + 1) == lock.substr(0, lock.find('.') + 1);
}

struct Access {
  uint32_t line = 0;
  bool isWrite = false;
  Locks held;
};

std::optional<LockHabit> habitOf(const std::string& data, const std::vector<Access>& accesses) {
  std::map<std::string, std::set<uint32_t>> lines;
  bool isWritten = false;
  for (const Access& access : accesses) {
    isWritten |= access.isWrite;
    for (const std::string& lock : access.held)
      if (lock == kAtomically || (isNear(data, lock) && lock != data)) lines[lock].insert(access.line);
  }
  if (!isWritten) return std::nullopt;
  const auto most = std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return a.second.size() < b.second.size();
  });
  if (most == lines.end()) return std::nullopt;
  LockHabit habit{data, most->first, most->second, {}, false};
  const bool isAtomic = habit.lock == kAtomically;
  for (const Access& access : accesses) {
    // Looking first without an atomic operation, and deciding with one, is an idiom.
    if (access.held.contains(habit.lock) || (isAtomic && !access.isWrite)) continue;
    habit.without.insert(access.line);
    habit.isWritten |= access.isWrite;
  }
  for (const uint32_t line : habit.with) habit.without.erase(line);
  const bool isFounded =
      habit.with.size() >= kLeastWith && habit.with.size() >= kLeastShare * habit.without.size();
  return habit.without.empty() || !isFounded ? std::nullopt : std::optional(std::move(habit));
}

}  // namespace

std::vector<LockHabit> lockHabits(const Survey& survey) {
  std::map<std::string, std::vector<Access>> byData;
  std::map<std::string, Context> contexts = contextsOf(survey);
  for (const SurveyFunction& function : survey.functions) {
    const Context& context = contexts[function.name];
    if (context.isBeforeOrAfter || !context.held) continue;
    for (const SurveyAccess& access : function.accesses) {
      if (access.isOwn) continue;
      Locks held = access.held;
      held.insert(context.held->begin(), context.held->end());
      held.erase("?");
      for (const uint32_t line : access.lines) byData[access.data].push_back({line, access.isWrite, held});
    }
  }
  std::vector<LockHabit> habits;
  for (const auto& [data, accesses] : byData)
    if (auto habit = habitOf(data, accesses)) habits.push_back(std::move(*habit));
  std::stable_sort(habits.begin(), habits.end(), [](const LockHabit& a, const LockHabit& b) {
    return a.with.size() * b.without.size() > b.with.size() * a.without.size();
  });
  return habits;
}

std::string toText(const LockHabit& habit) {
  const std::string share =
      std::to_string(habit.with.size()) + " of " + std::to_string(habit.with.size() + habit.without.size());
  const std::string what = habit.isWritten ? "written" : "read";
  if (habit.lock == kAtomically) return what + " without an atomic operation, as " + share + " lines have";
  return what + " without '" + habit.lock + "', which " + share + " lines hold";
}

}  // namespace heddle
