#include "server/source/harness_state.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/support/name_words.h"
#include "server/source/counterpart.h"
#include "server/source/harness_object.h"
#include "server/source/harness_subject.h"

namespace heddle {
namespace {

/// Words of functions that wait until the threads of an object have ended.
constexpr std::array<std::string_view, 13> kStops = {"stop",  "wait",   "join",     "shutdown", "flush",
                                                     "close", "finish", "drain",    "halt",     "quit",
                                                     "end",   "cancel", "terminate"};

/// A word of the name begins with "lock" or the like: `cache_lockandload`.
bool locksByName(const std::string& name) {
  const std::vector<std::string> words = nameWords(name);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word.starts_with("lock") || word.starts_with("rdlock") || word.starts_with("wrlock") ||
           word.starts_with("acquire");
  });
}

void addChanged(const SurveyFunction& function, std::set<std::string>& changed) {
  changed.insert(function.given.begin(), function.given.end());
  for (const SurveyAccess& access : function.accesses)
    if (access.isWrite) changed.insert(access.data);
}

}  // namespace

HarnessState::HarnessState(const Survey& survey, const SurveyFunction* first)
    : survey_(survey), first_(first), contexts_(callContextsOf(survey, true)) {
  for (const SurveyFunction& function : survey.functions) {
    const std::string before =
        counterpartOf(function.name, [&](const std::string& name) { return survey.find(name) != nullptr; });
    if (!before.empty()) counterparts_[function.name] = before;
    addChanged(function, changed_);
    for (const std::string& lock : function.released)
      if (!function.taken.contains(lock)) releasedByOthers_.insert(lock);
    released_.insert(function.released.begin(), function.released.end());
  }
}

const SurveyFunction& HarnessState::whole(const std::string& name) {
  const auto [known, isNew] = whole_.try_emplace(name);
  const SurveyFunction* function = isNew ? survey_.find(name) : nullptr;
  if (function) known->second = withCallees(survey_, *function);
  return known->second;
}

bool HarnessState::isReleasedElsewhere(const SurveyFunction& function, const std::string& lock) const {
  const auto isLock = [&](const auto& parameter) { return parameter.first == lock; };
  const bool isKnownElsewhere = lock.find('.') != std::string::npos || survey_.variables.contains(lock) ||
                                std::any_of(function.parameters.begin(), function.parameters.end(), isLock);
  return isKnownElsewhere && !released_.contains(lock) &&
         hasWord(function.name, {"lock", "rdlock", "wrlock", "acquire", "enter"});
}

const std::set<std::string>& HarnessState::giversInside(const std::string& name) {
  const auto [known, isNew] = inside_.try_emplace(name);
  if (!isNew) return known->second;
  std::set<std::string> given, raised, inside;
  const std::set<std::string> reached = reachedFrom(survey_, name);
  const SurveyFunction* own = survey_.find(name);
  if (own) raised = own->raises;
  for (const std::string& callee : reached) {
    const SurveyFunction* function = survey_.find(callee);
    if (!function) continue;
    raised.insert(function->raises.begin(), function->raises.end());
    if (!function->givesReference) continue;
    given.insert(function->lowers.begin(), function->lowers.end());
    inside.insert(callee);
    inside.merge(reachedFrom(survey_, callee));
  }
  // What it gives back it may have taken itself: it has to answer for it.
  const bool mayTake = std::any_of(raised.begin(), raised.end(), [&](const std::string& count) {
    return count.empty() || given.contains(count) || given.contains("");
  });
  if (!mayTake) known->second = std::move(inside);
  return known->second;
}

/// Some thread of the file signals a condition, as it does at its end.
bool HarnessState::signalsEnd() const {
  const auto signals = [&](const std::string& name) {
    const SurveyFunction* function = survey_.find(name);
    return function && !function->signals.empty();
  };
  std::set<std::string> threads;
  for (const SurveyFunction& function : survey_.functions)
    threads.insert(function.starts.begin(), function.starts.end());
  return std::any_of(threads.begin(), threads.end(), [&](const std::string& thread) {
    const std::set<std::string> reached = reachedFrom(survey_, thread);
    return signals(thread) || std::any_of(reached.begin(), reached.end(), signals);
  });
}

const GeneratedHarness::Stop& HarnessState::stopBefore(const std::string& end) {
  const auto [known, isNew] = stops_.try_emplace(end);
  GeneratedHarness::Stop& stop = known->second;
  // Who waits itself is right, or has to answer for it.
  const SurveyFunction& ending = whole(end);
  if (!isNew || !takesDown(ending) || ending.waits || subjectOf(ending) == kNoRecord) return stop;
  if (!signalsEnd_) signalsEnd_ = signalsEnd();
  stop.endings = reachedFrom(survey_, end);
  stop.endings.insert(end);
  for (const SurveyFunction& function : survey_.functions) {
    if (function.isStatic || stop.endings.contains(function.name) ||
        subjectOf(function) != subjectOf(ending) || !hasWord(function.name, kStops) ||
        !whole(function.name).waits)
      continue;
    const std::set<std::string> callees = reachedFrom(survey_, function.name);
    if (!*signalsEnd_ && std::none_of(callees.begin(), callees.end(),
                                      [](const std::string& callee) { return callee.ends_with("join"); }))
      continue;
    stop.function = function.name;
    break;
  }
  return stop;
}

std::string HarnessState::consumerIn(const GeneratedHarness& harness, const HarnessWriter& writer) {
  std::vector<std::string> users = harness.functions;
  users.insert(users.end(), writer.called.begin(), writer.called.end());
  for (const std::string& name : harness.functions) {
    const SurveyFunction& consumer = whole(name);
    if (!consumesObject(consumer)) continue;
    const auto uses = [&](const std::string& user) {
      return !isSetUp(user) && subjectOf(whole(user)) == subjectOf(consumer);
    };
    if (std::count_if(users.begin(), users.end(), uses) > 1) return name;
  }
  return "";
}

void HarnessState::noteOwnLines(GeneratedHarness& harness) {
  const std::string& name = harness.functions.front();
  const auto isOther = [&](const std::string& function) { return function != name; };
  if (std::any_of(harness.functions.begin(), harness.functions.end(), isOther)) return;
  const SurveyFunction& function = whole(name);
  std::set<std::string> written;
  for (const SurveyAccess& access : function.accesses)
    if (access.isWrite) written.insert(access.data);
  for (const SurveyFunction& other : survey_.functions) {
    if (other.name == name || function.callees.contains(other.name) || isSetUp(other.name) ||
        takesDown(other))
      continue;
    for (const SurveyAccess& access : other.accesses)
      if (access.isWrite) written.erase(access.data);
  }
  for (const SurveyAccess& access : function.accesses)
    if (written.contains(access.data)) harness.ownLines.insert(access.lines.begin(), access.lines.end());
}

void HarnessState::noteNotSetUp(const std::set<std::string>& names, const HarnessWriter& writer,
                                GeneratedHarness& harness) {
  std::set<std::string> own, unset;
  for (const std::string& name : names) addChanged(whole(name), own);
  for (const std::string& data : own)
    if (const size_t dot = data.rfind('.'); dot != std::string::npos)
      harness.setMembers.insert(data.substr(dot + 1));
  for (const std::string& name : names) {
    for (const SurveyAccess& access : whole(name).accesses) {
      if (const auto hook = survey_.hooks.find(access.data);
          hook != survey_.hooks.end() && hook->second.isTested)
        harness.testedHooks.insert(access.lines.begin(), access.lines.end());
      const bool isSetByOthers = access.isElsewhere || changed_.contains(access.data);
      const bool isMember = access.isPointer && !access.isOwn &&
                            writer.zeroed.contains(access.data.substr(access.data.rfind('.') + 1));
      if (access.isWrite || own.contains(access.data)) continue;
      if (!isMember && (!access.isGlobalPointer() || !isSetByOthers)) continue;
      if (access.isGlobalPointer()) unset.insert(access.data);
      if (access.isElsewhere && !changed_.contains(access.data)) harness.setElsewhere.insert(access.data);
      for (const uint32_t line : access.lines) harness.notSetUp.try_emplace(line, access.data);
    }
  }
  std::set_difference(writer.zeroed.begin(), writer.zeroed.end(), harness.setMembers.begin(),
                      harness.setMembers.end(), std::inserter(harness.leftNull, harness.leftNull.end()));
  for (const std::string& name : names)
    for (const auto& [callee, given] : whole(name).passed)
      for (const std::string& data : given)
        if (unset.contains(data)) harness.notSetUpIn.try_emplace(callee, data);
}

void HarnessState::noteHandedOver(const std::set<std::string>& names, GeneratedHarness& harness) {
  for (const std::string& name : names) {
    for (const auto& [callee, given] : whole(name).passed) {
      std::set<std::string> changed;
      for (const std::string& function : given) addChanged(whole(function), changed);
      for (const SurveyAccess& access : whole(name).accesses)
        if (!access.isWrite && changed.contains(access.data))
          harness.handedOver[callee].insert(access.lines.begin(), access.lines.end());
    }
  }
}

void HarnessState::noteUndoes(GeneratedHarness& harness) const {
  for (size_t i = harness.prepared; i < harness.functions.size(); ++i) {
    const std::string& name = harness.functions[i];
    const auto before = counterparts_.find(name);
    const bool isCalled =
        harness.prepared > 0 && before != counterparts_.end() && harness.functions.front() == before->second;
    if (before != counterparts_.end() && !isCalled) harness.undoes.insert(*before);
    for (const auto& [undo, done] : counterparts_)
      if (done == name) harness.undone[name] = undo;
  }
}

void HarnessState::note(const HarnessWriter& writer, GeneratedHarness& harness) {
  std::set<std::string> names = writer.called;
  names.insert(harness.functions.begin(), harness.functions.end());
  if (first_) names.insert(first_->name);
  harness.resetsKeys = std::any_of(
      survey_.functions.begin(), survey_.functions.end(),
      [&](const SurveyFunction& function) { return function.resetsKey && !names.contains(function.name); });
  for (const std::string& name : harness.functions) {
    if (givesBack(whole(name)))
      harness.givers.try_emplace(name);
    else if (const std::set<std::string>& inside = giversInside(name); !inside.empty())
      harness.givers[name] = inside;
    const auto context = contexts_.find(name);
    const bool isInner = context != contexts_.end() && context->second.held &&
                         !context->second.held->empty() && !whole(name).locks;
    if (isInner) harness.inner.insert(name);
  }
  harness.elsewhere = writer.elsewhere;
  harness.singleThreads = survey_.singleThreads;
  harness.hooks = writer.unknownHooks();
  for (const std::string& called : writer.called)
    if (const GeneratedHarness::Stop& stop = stopBefore(called); harness.stop.function.empty())
      harness.stop = stop;
  harness.consumer = consumerIn(harness, writer);
  noteOwnLines(harness);
  noteHandedOver(names, harness);
  noteUndoes(harness);
  // What threads do that a call starts is part of it.
  std::set<std::string> run = names;
  for (const std::string& name : names) run.insert(whole(name).starts.begin(), whole(name).starts.end());
  noteNotSetUp(run, writer, harness);
  for (const std::string& name : harness.functions) {
    const SurveyFunction& function = whole(name);
    const auto keeps = [&](const std::string& lock) {
      // Who gives it up on some ways only has to answer for that, unless its name says what it does.
      if (function.released.contains(lock)) return releasedByOthers_.contains(lock) && locksByName(name);
      return releasedByOthers_.contains(lock) || isReleasedElsewhere(function, lock);
    };
    if (std::any_of(function.taken.begin(), function.taken.end(), keeps)) harness.keepers.insert(name);
  }
}

}  // namespace heddle
