#include "server/source/lock_sections.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/support/name_words.h"
#include "server/source/counterpart.h"
#include "server/source/harness_object.h"
#include "server/source/harness_subject.h"
#include "server/source/harness_text.h"

namespace heddle {
namespace {

constexpr const char* kGuarded = "heddle_guarded";
// Behind the lives of objects with threads; the first ones in front of single calls of the same functions, of
// which they say what these are for.
constexpr int kFirstRank = 950, kSectionRank = 450;
constexpr size_t kMostFirst = 3, kMostSections = 12;

/// The word of what releases, and that of what takes.
constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kTakers = {
    {{"unlock", "lock"},
     {"unlock", "trylock"},
     {"unlock", "try_lock"},
     {"unlock", "rdlock"},
     {"unlock", "wrlock"},
     {"rdunlock", "rdlock"},
     {"wrunlock", "wrlock"},
     {"unlatch", "latch"},
     {"release", "acquire"},
     {"release", "tryacquire"},
     {"release", "try_acquire"},
     {"leave", "enter"},
     {"exit", "enter"}}};

/// What takes a lock and what releases it: functions of the survey.
struct HandMadeLock {
  const SurveyFunction *take = nullptr, *release = nullptr;
  bool isShared = false;  // several readers hold it at once, by its name
  bool isTry = false;     // it holds the lock only where it returns true
};

/// Of words that say other things, too: some part of the name is that of a lock.
bool isOfLock(const std::string& name, std::string_view word) {
  if (word != "release" && word != "leave" && word != "exit") return true;
  for (const char* part : {"lock", "mutex", "critical", "section", "latch"})
    if (name.find(part) != std::string::npos) return true;
  return false;
}

/// One writer at a time: its callers see to that.
bool isOfSingle(const std::string& name) {
  return name.find("swlock") != std::string::npos || hasWord(name, {"single", "sw"});
}

/// It comes with threads: what it keeps apart, Heddle knows.
bool isOfLibrary(const std::string& name) {
  constexpr std::array<std::string_view, 6> kPrefixes = {"pthread_", "sem_", "mtx_", "g_", "uv_", "SDL_"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool isOfReaders(const std::string& name) {
  return hasWord(name, {"read", "reader", "readers", "rd", "rdlock", "tryrdlock", "shared", "slock"});
}

const SurveyType* firstOf(const SurveyFunction& function) {
  if (function.parameters.empty()) return nullptr;
  const SurveyType& type = function.parameters.front().second;
  const bool isPlace = type.target == SurveyType::Kind::Number || type.record != kNoRecord;
  return type.kind == SurveyType::Kind::Pointer && isPlace && !type.isTargetConst ? &type : nullptr;
}

/// Both are given the same lock first.
bool haveSameLock(const SurveyFunction& take, const SurveyFunction& release) {
  const SurveyType *a = firstOf(take), *b = firstOf(release);
  if (!a || !b) return take.parameters.empty() && release.parameters.empty();
  return a->spelled == b->spelled &&
         (!a->isTwice || take.parameters.front().first == release.parameters.front().first);
}

/// The text of one harness.
class Sections {
 public:
  Sections(const Survey& survey, HarnessWriter& writer) : survey_(survey), writer_(writer) {}

  /// False: the lock cannot be made, or has any content.
  bool makeLock(const SurveyFunction& take) {
    const SurveyType* type = firstOf(take);
    if (!type) return true;
    if (type->isTwice || type->record == kNoRecord) {
      writer_.globals += "static " + withName(type->targetSpelled, "heddle_lock") + ";\n";
      writer_.assumed.emplace_back("the lock is zero first");
      isZero = true;
      lock_ = "&heddle_lock";
      return true;
    }
    const ObjectLife life = lifeOf(survey_, type->record);
    if (!life.create && !life.init) {
      if (!survey_.records[type->record].isComplete) return false;
      writer_.giveMemory(type->record);
      writer_.assumed.emplace_back("the lock is all zero first");
      isZero = true;
    }
    const auto made = writer_.object(type->record);
    if (!made || writer_.isOdd) return false;
    lock_ = *made;
    return true;
  }

  bool isZero = false;  // nothing sets the lock up

  /// The statements of a thread; empty: some argument is not known.
  std::string section(const HandMadeLock& lock, unsigned thread) {
    const std::string take = call(*lock.take, thread), release = call(*lock.release, thread);
    if (take.empty() || release.empty()) return "";
    std::string body = std::string(kGuarded) + " = " + kGuarded + " + 1";
    if (lock.isShared) {
      const std::string seen = "heddle_seen" + std::to_string(thread);
      writer_.globals += "static int " + seen + ";\n";
      body = seen + " = " + kGuarded;
    }
    return lock.isTry ? "if (" + take + ") {\n    " + body + ";\n    " + release + ";\n  }"
                      : take + ";\n  " + body + ";\n  " + release;
  }

 private:
  std::string call(const SurveyFunction& function, unsigned thread) {
    std::string text;
    for (size_t i = 0; i < function.parameters.size(); ++i) {
      const auto& [name, type] = function.parameters[i];
      const std::string made = i == 0 && firstOf(function) ? lock_ : argument(name, type, thread);
      if (made.empty()) return "";
      text += (text.empty() ? "" : ", ") + made;
    }
    return function.name + "(" + text + ")";
  }

  /// What belongs to the thread: its number, or an object that it gives both calls.
  std::string argument(const std::string& name, const SurveyType& type, unsigned thread) {
    if (type.kind == SurveyType::Kind::Number && !type.isThread)
      return hasWord(name, {"flag", "flags", "mode", "options"}) ? "0" : std::to_string(thread);
    const bool isObject = type.record != kNoRecord || type.target == SurveyType::Kind::Number;
    if (type.kind != SurveyType::Kind::Pointer || !isObject || !type.callback.empty()) return "";
    if (type.record != kNoRecord && !type.isTwice && !survey_.records[type.record].isComplete) return "";
    const std::string key = name + ' ' + std::to_string(thread);
    const auto [known, isNew] =
        own_.try_emplace(key, Own{"heddle_own" + std::to_string(own_.size() + 1), type.isTwice});
    if (isNew) writer_.globals += "static " + withName(type.targetSpelled, known->second.name) + ";\n";
    if (known->second.isPointer == type.isTwice) return "&" + known->second.name;
    // What takes the lock has set the pointer.
    return known->second.isPointer ? known->second.name : "";
  }

  struct Own {
    std::string name;
    bool isPointer;
  };
  const Survey& survey_;
  HarnessWriter& writer_;
  std::string lock_;
  std::map<std::string, Own> own_;  // by parameter and thread
};

std::string between(const HandMadeLock& lock) {
  return "'" + lock.take->name + "' and '" + lock.release->name + "'";
}

std::optional<GeneratedHarness> sectionHarness(const Survey& survey, HarnessState& state,
                                               const std::vector<HandMadeLock>& locks) {
  HarnessWriter writer(survey);
  Sections sections(survey, writer);
  if (!sections.makeLock(*locks.front().take)) return std::nullopt;
  writer.globals += std::string("static int ") + kGuarded + ";\n";
  GeneratedHarness harness;
  harness.place = locks.front().take->place;
  std::string threads, start, join;
  std::vector<std::string> releases;
  for (const HandMadeLock& lock : locks) {
    const auto number = static_cast<unsigned>(harness.functions.size() + 1);
    const std::string section = sections.section(lock, number);
    if (section.empty()) return std::nullopt;
    threads += threadText(number, section);
    start += "  " + startText(number);
    join += "  " + joinText(number);
    harness.title += (number == 1 ? "" : " || ") + lock.take->name + ", " + lock.release->name;
    harness.functions.push_back(lock.take->name);
    harness.sections.between.push_back(between(lock));
    releases.push_back(lock.release->name);
  }
  harness.functions.insert(harness.functions.end(), releases.begin(), releases.end());
  harness.assumed = writer.assumed;
  std::string alone;
  for (const HandMadeLock& lock : locks)
    if (!lock.isShared && alone.find(between(lock)) == std::string::npos)
      alone += (alone.empty() ? "" : ", and between ") + between(lock);
  harness.assumed.push_back("a thread between " + alone + " is meant to be alone there");
  const auto count = static_cast<unsigned>(locks.size());
  harness.text = frameText(writer, threads, globalSetUp(survey), threadVariables(count) + start + join);
  state.note(writer, harness);
  // Each thread undoes what it has done.
  harness.keepers.clear();
  harness.undone.clear();
  harness.undoes.clear();
  harness.isParallel = true;
  harness.sections.isZeroLock = sections.isZero;
  harness.rank = kSectionRank - (locks.size() > 2 ? 1 : 0);
  return harness;
}

/// In the order of the text. Functions that lock by the thread library are none: that keeps them apart.
std::vector<HandMadeLock> handMadeLocks(const Survey& survey) {
  std::vector<HandMadeLock> locks;
  const auto isOwn = [&](const SurveyFunction& function) {
    // What a transaction does, nobody here knows.
    if (function.isVariadic || hasWord(function.name, {"elide", "rtm", "hle"})) return false;
    const std::set<std::string> reached = reachedFrom(survey, function.name);
    return withCallees(survey, function).isAtomic &&
           std::none_of(reached.begin(), reached.end(), isOfLibrary);
  };
  for (const SurveyFunction& release : survey.functions) {
    for (const auto& [undo, done] : kTakers) {
      const std::string name = isOfLock(release.name, undo) ? withWord(release.name, undo, done) : "";
      const SurveyFunction* take = name.empty() ? nullptr : survey.find(name);
      if (!take || take == &release || !haveSameLock(*take, release) || release.isVariadic || !isOwn(*take))
        continue;
      const bool isTry = done.starts_with("try");
      if (isTry && !take->result.isBool) continue;
      locks.push_back({take, &release, isOfReaders(take->name), isTry});
    }
  }
  std::stable_sort(locks.begin(), locks.end(),
                   [](const HandMadeLock& a, const HandMadeLock& b) { return a.take < b.take; });
  return locks;
}

}  // namespace

void addLockSections(const Survey& survey, HarnessState& state, const Budget& budget,
                     std::vector<GeneratedHarness>& harnesses) {
  std::vector<std::vector<HandMadeLock>> pairs, triples;
  const std::vector<HandMadeLock> locks = handMadeLocks(survey);
  for (auto a = locks.begin(); a != locks.end(); ++a)
    for (auto b = a; b != locks.end(); ++b) {
      if (!haveSameLock(*a->take, *b->take) || (a->isShared && b->isShared)) continue;
      if (!a->isShared && !b->isShared && isOfSingle(a->take->name)) continue;
      pairs.push_back({*a, *b});
      const HandMadeLock& reader = a->isShared ? *a : *b;
      if (reader.isShared && !a->isTry && !b->isTry)
        triples.push_back({a->isShared ? *b : *a, reader, reader});
    }
  // What is for all ways comes before what is for those where a try succeeds.
  const auto tries = [](const std::vector<HandMadeLock>& made) {
    return std::count_if(made.begin(), made.end(), [](const HandMadeLock& lock) { return lock.isTry; });
  };
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const auto& a, const auto& b) { return tries(a) < tries(b); });
  size_t first = kMostFirst;
  const auto add = [&](const std::vector<std::vector<HandMadeLock>>& several, size_t most) {
    for (const std::vector<HandMadeLock>& made : several) {
      if (most == 0 || budget.check() != StopReason::None) return;
      auto harness = sectionHarness(survey, state, made);
      if (!harness) continue;
      harnesses.push_back(std::move(*harness));
      if (first != 0) {
        harnesses.back().rank = kFirstRank;
        --first;
      }
      --most;
    }
  };
  add(pairs, kMostSections);
  add(triples, kMostSections / 4);
}

bool namesLockSections(const GeneratedHarness& harness, Finding& finding) {
  const bool isOfCounter = std::any_of(finding.about.begin(), finding.about.end(),
                                       [](const FindingObject& object) { return object.name == kGuarded; });
  if (harness.sections.between.size() < 2 || !isRace(finding) || !isOfCounter) return false;
  const std::string& first = harness.sections.between.front();
  const std::string& other = harness.sections.between[1];
  finding.message = first == other
                        ? "two threads are between " + first + " at once"
                        : "a thread is between " + first + " while another one is between " + other;
  return true;
}

}  // namespace heddle
