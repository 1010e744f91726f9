#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "analysis/support/name_words.h"
#include "server/source/call_context.h"
#include "server/source/shared_guesses.h"

namespace heddle {
namespace {

using Locks = std::set<std::string>;

/// Uses of data by functions of one side, with the locks around.
struct SidedUse {
  const DataUse* use = nullptr;
  Locks held;
};

bool haveCommon(const Locks& a, const Locks& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& lock) { return b.contains(lock); });
}

class FlagGuesses {
 public:
  FlagGuesses(const Survey& survey, const ThreadFacts& facts, std::vector<LockGuess>& guesses)
      : survey_(survey), facts_(facts), contexts_(callContextsOf(survey)), guesses_(guesses) {
    for (const SurveyFunction& function : survey.functions) functions_.emplace(function.name, &function);
    for (const DataUse& use : facts.uses) {
      byFunction_[use.function].push_back(&use);
      if (use.isAtomic()) atomic_.insert(use.data);
    }
  }

  void tell() {
    for (const ThreadStart& start : facts_.starts) {
      if (!find(start.thread)) continue;
      tellLateNeeds(start);
      tellShared(start);
    }
    tellBetweenThreads();
  }

 private:
  static constexpr unsigned kDepth = 4;

  /// Null: the file has none of that name.
  const SurveyFunction* find(const std::string& name) const {
    const auto known = functions_.find(name);
    return known == functions_.end() ? nullptr : known->second;
  }

  /// Locks around a use in its function.
  Locks heldAt(const DataUse& use) const {
    Locks held;
    const SurveyFunction* function = find(use.function);
    if (!function) return held;
    for (const SurveyAccess& access : function->accesses)
      if (access.data == use.data && access.lines.contains(use.line))
        held.insert(access.held.begin(), access.held.end());
    return held;
  }

  bool isOwn(const DataUse& use) const {
    const SurveyFunction* function = find(use.function);
    return function &&
           std::any_of(function->accesses.begin(), function->accesses.end(), [&](const SurveyAccess& access) {
             return access.data == use.data && access.lines.contains(use.line) && access.isOwn;
           });
  }

  /// What the function and those that it calls do, with the locks of the calls around.
  void collect(const std::string& name, const Locks& around, unsigned depth, std::set<std::string>& known,
               std::vector<SidedUse>& uses) const {
    const SurveyFunction* function = find(name);
    if (!function || depth > kDepth || !known.insert(name).second) return;
    if (const auto own = byFunction_.find(name); own != byFunction_.end())
      for (const DataUse* use : own->second) {
        if (isOwn(*use)) continue;
        SidedUse& sided = uses.emplace_back(SidedUse{use, heldAt(*use)});
        sided.held.insert(around.begin(), around.end());
      }
    for (const auto& [callee, held] : function->heldAt) {
      Locks inner = around;
      inner.insert(held.begin(), held.end());
      collect(callee, inner, depth + 1, known, uses);
    }
  }

  const std::vector<SidedUse>& usesOf(const std::string& thread) {
    const auto [found, isNew] = byThread_.try_emplace(thread);
    if (isNew) {
      std::set<std::string> known;
      collect(thread, {}, 0, known, found->second);
    }
    return found->second;
  }

  static bool isNearOf(const std::string& data, const std::string& record) {
    return !record.empty() && data.size() > record.size() && data.starts_with(record) &&
           data[record.size()] == '.';
  }

  /// Other numbers that one thread sets and another one tests, some queue or count between the two may
  /// publish.
  static bool isNamedLikeFlag(const std::string& data) {
    return hasWord(
        data.substr(data.find_last_of(".:") + 1),
        {"stop",     "stopped",  "stopping", "quit",      "exit",       "exiting", "running", "run",
         "done",     "shutdown", "term",     "terminate", "terminated", "alive",   "active",  "started",
         "ready",    "cancel",   "canceled", "cancelled", "abort",      "aborted", "finish",  "finished",
         "threaded", "closing",  "closed",   "keepalive", "die",        "dead",    "halt"});
  }

  /// The data is of the object that the thread is given, or a variable of the file.
  bool isShared(const DataUse& use, const ThreadStart& start) const {
    if (atomic_.contains(use.data) || !use.isFlag || use.isOfMacro) return false;
    return isNearOf(use.data, start.record) || use.data == use.variable;
  }

  /// A loop of the thread needs what its starter sets only behind the start.
  void tellLateNeeds(const ThreadStart& start) {
    const SurveyFunction* starter = find(start.function);
    const auto own = byFunction_.find(start.function);
    if (!starter || own == byFunction_.end()) return;
    Locks atStart;
    for (const SurveyCall& call : starter->calls)
      if (call.line == start.line) atStart.insert(call.held.begin(), call.held.end());
    for (const DataUse* write : own->second) {
      if (!write->isOther || write->isOfMacro || write->line <= start.line || isOwn(*write)) continue;
      const bool isSetBefore = std::any_of(own->second.begin(), own->second.end(), [&](const DataUse* one) {
        return one->data == write->data && one->isPlainWrite() && !one->isZero && one->line < start.line;
      });
      if (isSetBefore) continue;
      for (const SidedUse& read : usesOf(start.thread)) {
        if (!read.use->isNeeded || read.use->data != write->data || haveCommon(read.held, atStart)) continue;
        LockGuess guess{
            write->data, start.function, {write->line, start.line, read.use->line}, write->line, ""};
        guess.why = "is set in '" + start.function + "' behind the start of '" + start.thread +
                    "', which ends where it is not set yet" + lineText("started", start.line);
        guesses_.push_back(std::move(guess));
        return;
      }
    }
  }

  /// The thread may run at the use; for a function of a program only its starter says so.
  bool isBeside(const DataUse& use, const ThreadStart& start) const {
    const SurveyFunction* function = find(use.function);
    if (!function) return false;
    uint32_t firstJoin = 0;
    for (const SurveyCall& call : function->calls)
      if (hasWord(call.callee, {"join"}) && (firstJoin == 0 || call.line < firstJoin)) firstJoin = call.line;
    if (firstJoin != 0 && use.line > firstJoin) return false;
    // What the starter sets behind the start is told by its ways: it may be the one where none was started.
    if (use.function == start.function) return use.line > start.line && !use.isPlainWrite();
    if (find("main") || function->starts.contains(start.thread)) return false;
    if (firstJoin != 0) return true;
    // The child of a fork has no other thread.
    const CallContext& context = contexts_.at(use.function);
    return context.held && !context.isBeforeOrAfter &&
           !hasWord(use.function, {"fork", "postfork", "prefork", "child"});
  }

  Locks heldOutside(const DataUse& use) const {
    Locks held = heldAt(use);
    if (const auto& around = contexts_.at(use.function).held) held.insert(around->begin(), around->end());
    return held;
  }

  /// By an atomic operation it may tell others what it has written before.
  bool publishes(const std::string& name) {
    const auto [found, isNew] = publishes_.try_emplace(name, false);
    const SurveyFunction* function = isNew ? find(name) : nullptr;
    if (function) found->second = withCallees(survey_, *function).isAtomic;
    return found->second;
  }

  bool isTold(const std::string& data) { return !told_.insert(data).second; }

  /// A flag of the thread that functions outside of it set, or that it sets and they test.
  void tellShared(const ThreadStart& start) {
    const std::vector<SidedUse>& inside = usesOf(start.thread);
    std::set<std::string> reached = reachedFrom(survey_, start.thread);
    reached.insert(start.thread);
    std::set<std::string_view> used;
    for (const SidedUse& use : inside) used.insert(use.use->data);
    for (const DataUse& other : facts_.uses) {
      if (!used.contains(other.data) || reached.contains(other.function) || other.isAtomic() ||
          !isShared(other, start) || isOwn(other) || !isBeside(other, start))
        continue;
      const bool isSet = other.isZero || other.isOther;
      if ((!isSet && !other.isTested) || !isNamedLikeFlag(other.data)) continue;
      if (!heldOutside(other).empty() || publishes(other.function)) continue;
      const SidedUse* partner = nullptr;
      bool isGuarded = false;
      for (const SidedUse& use : inside) {
        if (use.use->data != other.data) continue;
        const bool fits =
            isSet ? use.use->isTested && !use.use->isPlainWrite() : (use.use->isZero || use.use->isOther);
        if (!fits) continue;
        isGuarded |= !use.held.empty() || publishes(use.use->function);
        if (!partner) partner = &use;
      }
      if (!partner || isGuarded || isTold(other.data)) continue;
      const DataUse& mine = *partner->use;
      LockGuess guess{other.data, other.function, {other.line, mine.line}, other.line, ""};
      guess.why = std::string(isSet ? "is set" : "is tested") + " in '" + other.function + "' and " +
                  (isSet ? "tested" : "set") + " by the thread that runs '" + start.thread +
                  "', under no lock and not atomically" + lineText(isSet ? "tested" : "set", mine.line);
      guesses_.push_back(std::move(guess));
    }
  }

  /// Both take some lock: what one writes before, the other one may read behind it.
  bool haveLockInCommon(const std::string& a, const std::string& b) const {
    return haveCommon(withCallees(survey_, *find(a)).taken, withCallees(survey_, *find(b)).taken);
  }

  void tellPair(const ThreadStart& a, const ThreadStart& b) {
    if (&a != &b && haveLockInCommon(a.thread, b.thread)) return;
    for (const SidedUse& write : usesOf(a.thread)) {
      if (!write.use->isPlainWrite() || !isShared(*write.use, a)) continue;
      if (!isNearOf(write.use->data, a.record)) continue;  // variables are told elsewhere
      for (const SidedUse& use : usesOf(b.thread)) {
        if (use.use->data != write.use->data || use.use->isAtomic() || haveCommon(use.held, write.held))
          continue;
        if (&a == &b && write.use->kind != DataUse::Kind::Step) continue;
        if (&a != &b && use.use->function == write.use->function) continue;
        if (isTold(write.use->data)) break;
        LockGuess guess{
            write.use->data, write.use->function, {write.use->line, use.use->line}, write.use->line, ""};
        guess.why = "is written by the thread that runs '" + a.thread + "' and used by " +
                    (&a == &b ? "the others" : "the one that runs '" + b.thread + "'") +
                    ", under no common lock" + lineText("used", use.use->line);
        guesses_.push_back(std::move(guess));
        break;
      }
    }
  }

  /// Two threads that are given one object.
  void tellBetweenThreads() {
    for (const ThreadStart& a : facts_.starts)
      for (const ThreadStart& b : facts_.starts) {
        if (&a == &b ? !a.isInLoop
                     : a.thread == b.thread || a.record.empty() || a.function != b.function || a.isRepeated)
          continue;
        if (find(a.thread) && find(b.thread)) tellPair(a, b);
      }
  }

  const Survey& survey_;
  const ThreadFacts& facts_;
  const std::map<std::string, CallContext> contexts_;
  std::vector<LockGuess>& guesses_;
  std::map<std::string, const SurveyFunction*> functions_;
  std::map<std::string, std::vector<const DataUse*>> byFunction_;
  std::map<std::string, std::vector<SidedUse>> byThread_;
  std::map<std::string, bool> publishes_;
  std::set<std::string> atomic_, told_;
};

}  // namespace

void addFlagGuesses(const Survey& survey, const ThreadFacts& facts, std::vector<LockGuess>& guesses) {
  FlagGuesses(survey, facts, guesses).tell();
}

}  // namespace heddle
