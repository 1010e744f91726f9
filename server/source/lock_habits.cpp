#include "server/source/lock_habits.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "server/source/call_context.h"

namespace heddle {
namespace {

// Read in real projects: with two lines, or half of them, most of what is told is meant so.
constexpr size_t kLeastWith = 3;   // lines under the lock that make a habit
constexpr size_t kLeastShare = 3;  // times as many as without it

using Locks = std::set<std::string>;

/// "struct.member" of the same struct, or both of no struct: a lock that can be meant for the data.
bool isNear(const std::string& data, const std::string& lock) {
  return data.substr(0, data.find('.') + 1) == lock.substr(0, lock.find('.') + 1);
}

struct Access {
  LockHabit::Line line;
  bool isWrite = false;
  Locks held;
};

std::optional<LockHabit> habitOf(const std::string& data, const std::vector<Access>& accesses) {
  std::map<std::string, std::set<LockHabit::Line>> lines;
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
  for (const LockHabit::Line& line : habit.with) habit.without.erase(line);
  const bool isFounded =
      habit.with.size() >= kLeastWith && habit.with.size() >= kLeastShare * habit.without.size();
  return habit.without.empty() || !isFounded ? std::nullopt : std::optional(std::move(habit));
}

}  // namespace

std::vector<LockHabit> lockHabits(const Survey& survey, bool isWhole) {
  std::map<std::string, std::vector<Access>> byData;
  std::map<std::pair<std::string, std::string>, std::vector<Access>> byWhole;  // by data and the whole of it
  std::map<std::string, CallContext> contexts = callContextsOf(survey, isWhole);
  for (const SurveyFunction& function : survey.functions) {
    const CallContext& context = contexts[function.name];
    if (context.isBeforeOrAfter || !context.held) continue;
    for (const SurveyAccess& access : function.accesses) {
      if (access.isOwn) continue;
      Locks held = access.held;
      held.insert(context.held->begin(), context.held->end());
      held.erase("?");
      for (const uint32_t line : access.lines) {
        const Access one{{function.place.file, line}, access.isWrite, held};
        byData[access.data].push_back(one);
        if (!access.whole.empty()) byWhole[{access.data, access.whole}].push_back(one);
      }
    }
  }
  std::vector<LockHabit> habits;
  std::map<std::string, std::set<LockHabit::Line>> told;  // by data
  for (const auto& [data, accesses] : byData)
    if (auto habit = habitOf(data, accesses)) {
      told[data] = habit->without;
      habits.push_back(std::move(*habit));
    }
  for (const auto& [names, accesses] : byWhole) {
    const std::set<LockHabit::Line>& known = told[names.first];
    if (auto habit = habitOf(names.second, accesses);
        habit && !std::includes(known.begin(), known.end(), habit->without.begin(), habit->without.end()))
      habits.push_back(std::move(*habit));
  }
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
