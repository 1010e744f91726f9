#include "server/source/thread_guesses.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "server/source/call_context.h"
#include "server/source/harness_object.h"

namespace heddle {
namespace {

using Contexts = std::map<std::string, CallContext>;

bool joinsThreads(const SurveyFunction& function) {
  return std::any_of(function.callees.begin(), function.callees.end(),
                     [](const std::string& callee) { return callee.ends_with("join"); });
}

/// Nobody holds a lock where the data changes.
bool isWithoutLock(const SurveyFunction& function, const CallContext& context,
                   const UnsignalledChange& change) {
  if (!context.held || !context.held->empty()) return false;
  return std::any_of(function.accesses.begin(), function.accesses.end(), [&](const SurveyAccess& access) {
    const size_t atomic = access.held.contains(kAtomically) ? 1 : 0;
    return access.isWrite && access.data == change.data && access.lines.contains(change.line) &&
           !access.isOwn && access.held.size() == atomic;
  });
}

bool isUnderLock(const SurveyFunction& function, const CallContext& context,
                 const UnsignalledChange& change) {
  const bool isCalledUnderOne = context.held && !context.held->empty();
  return std::any_of(function.accesses.begin(), function.accesses.end(), [&](const SurveyAccess& access) {
    return access.isWrite && access.data == change.data && access.lines.contains(change.line) &&
           !access.isOwn && (isCalledUnderOne || !access.held.empty());
  });
}

/// Of those who call each function, at any depth.
std::map<std::string, std::set<std::string>> signalsOfCallers(const Survey& survey) {
  std::map<std::string, std::set<std::string>> signals;
  for (bool isStable = false; !isStable;) {
    isStable = true;
    for (const SurveyFunction& caller : survey.functions)
      for (const std::string& callee : caller.callees) {
        std::set<std::string>& known = signals[callee];
        const size_t before = known.size();
        known.insert(caller.signals.begin(), caller.signals.end());
        const std::set<std::string> further = signals[caller.name];
        known.insert(further.begin(), further.end());
        isStable &= known.size() == before;
      }
  }
  return signals;
}

/// The function signals a condition of the same name in a structure of another kind: a pointer to this one.
bool signalsAlias(const SurveyFunction& function, const std::string& condition) {
  const auto memberOf = [](const std::string& data) { return data.substr(data.rfind('.') + 1); };
  return std::any_of(function.signals.begin(), function.signals.end(), [&](const std::string& signalled) {
    return signalled != condition && memberOf(signalled) == memberOf(condition);
  });
}

/// Changes that a wait of another function tests, under a lock, which nobody signals.
void addUnsignalled(const Survey& survey, const Contexts& contexts, std::vector<LockGuess>& guesses) {
  const std::map<std::string, std::set<std::string>> byCallers = signalsOfCallers(survey);
  for (const SurveyFunction& function : survey.functions) {
    // Nobody waits yet, or any more.
    if (isSetUp(function.name) || (takesDown(function) && !joinsThreads(function))) continue;
    const auto around = byCallers.find(function.name);
    std::map<std::pair<std::string, std::string>, LockGuess> told;  // by data and condition
    for (const UnsignalledChange& change : function.unsignalled) {
      const bool isSignalled = around != byCallers.end() &&
                               (around->second.contains(change.condition) || around->second.contains(""));
      if (isSignalled || signalsAlias(function, change.condition) ||
          change.signal == UnsignalledChange::Signal::First ||
          !isUnderLock(function, contexts.at(function.name), change))
        continue;
      LockGuess guess{change.condition, function.name, {}, change.line, ""};
      guess.why = "is not signalled in '" + function.name + "' after '" + change.data +
                  "' changed here, which '" + change.waiter + "' waits for in line " +
                  std::to_string(change.waitLine);
      told.try_emplace({change.data, change.condition}, std::move(guess))
          .first->second.lines.insert({change.line, change.waitLine});
    }
    for (auto& [key, guess] : told) guesses.push_back(std::move(guess));
  }
}

/// Conditions that some function signals while nobody holds a lock, each with data that this function reads.
std::set<std::pair<std::string, std::string>> signalledUnlocked(const Survey& survey,
                                                                const Contexts& contexts) {
  std::set<std::pair<std::string, std::string>> conditions;
  for (const SurveyFunction& function : survey.functions) {
    const CallContext& context = contexts.at(function.name);
    const bool isUnlocked =
        context.held && context.held->empty() &&
        std::any_of(function.calls.begin(), function.calls.end(), [](const SurveyCall& call) {
          const bool isSignal = call.callee.ends_with("signal") || call.callee.ends_with("broadcast");
          return isSignal && call.callee.find("cond") != std::string::npos && call.held.empty();
        });
    if (!isUnlocked) continue;
    for (const std::string& condition : function.signals)
      for (const SurveyAccess& access : function.accesses) conditions.emplace(condition, access.data);
  }
  return conditions;
}

/// Changes that a wait of another function tests under a lock, made without one: who has tested the data and
/// does not wait yet misses the signal.
void addUnlockedChanges(const Survey& survey, const Contexts& contexts, std::vector<LockGuess>& guesses) {
  using Signal = UnsignalledChange::Signal;
  const std::set<std::pair<std::string, std::string>> unlocked = signalledUnlocked(survey, contexts);
  for (const SurveyFunction& function : survey.functions) {
    if (isSetUp(function.name)) continue;
    const CallContext& context = contexts.at(function.name);
    std::set<std::pair<std::string, std::string>> told;  // data and condition
    for (const UnsignalledChange& change : function.unsignalled) {
      // A signal under the lock comes before the test of who does not wait yet; one in front of the change is
      // not for it.
      const bool isMissed =
          change.signal == Signal::First || (change.signal == Signal::None && function.starts.empty() &&
                                             unlocked.contains({change.condition, change.data}) &&
                                             !function.signals.contains(change.condition));
      if (!isMissed || !isWithoutLock(function, context, change) ||
          !told.insert({change.data, change.condition}).second)
        continue;
      LockGuess guess{change.data, function.name, {change.line, change.waitLine}, change.line, ""};
      guess.why = "is changed in '" + function.name + "' without the lock under which '" + change.waiter +
                  "' tests it and waits for '" + change.condition + "' in line " +
                  std::to_string(change.waitLine) + ": the wake-up may be lost";
      guesses.push_back(std::move(guess));
    }
  }
}

/// What a thread reads and nobody sets before it is started.
void addBehindStarts(const Survey& survey, std::vector<LockGuess>& guesses) {
  for (const SurveyFunction& function : survey.functions) {
    std::set<std::pair<std::string, std::string>> told;  // by data and thread
    for (const WriteBehindStart& write : function.behindStarts) {
      const SurveyFunction* thread = survey.find(write.thread);
      if (!thread) continue;
      const SurveyFunction whole = withCallees(survey, *thread);
      const bool isRead =
          std::any_of(whole.accesses.begin(), whole.accesses.end(), [&](const SurveyAccess& access) {
            return access.data == write.data && !access.isWrite && !access.isOwn && access.held.empty();
          });
      if (!isRead || !told.insert({write.data, write.thread}).second) continue;
      guesses.push_back({write.data,
                         function.name,
                         {write.line, write.startLine},
                         write.line,
                         "is set in '" + function.name + "' behind the start of '" + write.thread +
                             "', which reads it" + lineText("started", write.startLine)});
    }
  }
}

/// Results of the C library that all threads share, where the file has threads or locks, or is no program.
void addSharedResults(const Survey& survey, const Contexts& contexts, std::vector<LockGuess>& guesses) {
  const bool hasThreads =
      std::any_of(survey.functions.begin(), survey.functions.end(), [](const SurveyFunction& function) {
        return function.locks || function.waits || !function.starts.empty();
      });
  if (!hasThreads && survey.find("main")) return;
  for (const SurveyFunction& function : survey.functions) {
    const CallContext& context = contexts.at(function.name);
    if (context.isBeforeOrAfter || !context.held || !context.held->empty()) continue;
    for (const auto& [name, line] : function.sharedResults) {
      LockGuess guess{name, function.name, {line}, line, ""};
      guess.why = "is called in '" + function.name + "': its result lies in memory that all threads share";
      guess.isOfStatic = true;
      guesses.push_back(std::move(guess));
    }
  }
}

/// Static variables that are written where nobody holds a lock, and that nobody accesses under one.
void addStatics(const Survey& survey, const Contexts& contexts, std::vector<LockGuess>& guesses) {
  if (survey.find("main")) return;  // it may well have one thread
  struct Writer {
    std::string function;
    std::set<uint32_t> lines;
  };
  std::map<std::string, Writer> writers;
  std::set<std::string> guarded;
  for (const SurveyFunction& function : survey.functions) {
    const CallContext& context = contexts.at(function.name);
    // Nobody calls it; or it is given to `pthread_once` or the like.
    if (!context.held || function.name.find("once") != std::string::npos) continue;
    for (const SurveyAccess& access : function.accesses) {
      if (!access.isStatic) continue;
      if (!access.held.empty() || !context.held->empty()) guarded.insert(access.data);
      if (!access.isWrite || context.isAlone) continue;
      Writer& writer = writers[access.data];
      if (writer.function.empty()) writer.function = function.name;
      writer.lines.insert(access.lines.begin(), access.lines.end());
    }
  }
  for (const auto& [data, writer] : writers) {
    if (guarded.contains(data)) continue;
    LockGuess guess{data, writer.function, writer.lines, *writer.lines.begin(), ""};
    guess.why =
        "is static and written in '" + writer.function + "' without a lock: two threads that call it race";
    guess.isOfStatic = true;
    guesses.push_back(std::move(guess));
  }
}

/// A write of a static variable by a thread.
struct ThreadWrite {
  std::string thread;  // the function that it runs
  bool isOfMany = false;
  uint32_t line = 0;
  std::set<std::string> held;
};

bool haveCommonLock(const ThreadWrite& a, const ThreadWrite& b) {
  return std::any_of(a.held.begin(), a.held.end(),
                     [&](const std::string& lock) { return b.held.contains(lock); });
}

/// Two writes of different threads under no common lock.
std::optional<std::pair<ThreadWrite, ThreadWrite>> firstUnordered(const std::vector<ThreadWrite>& all) {
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t k = i; k < all.size(); ++k) {
      const ThreadWrite &a = all[i], &b = all[k];
      // What two functions call both is as a rule for errors.
      const bool isOfTwo = a.thread == b.thread ? a.isOfMany : a.line != b.line;
      if (isOfTwo && !haveCommonLock(a, b)) return std::pair(a, b);
    }
  return std::nullopt;
}

/// Its own accesses and those of the functions that it calls itself: deeper ones are as a rule of ways that
/// end the program.
std::vector<SurveyAccess> nearAccesses(const Survey& survey, const SurveyFunction& function) {
  std::vector<SurveyAccess> accesses = function.accesses;
  for (const auto& [name, held] : function.heldAt) {
    const SurveyFunction* callee = survey.find(name);
    if (!callee || callee == &function) continue;
    for (SurveyAccess access : callee->accesses) {
      access.held.insert(held.begin(), held.end());
      accesses.push_back(std::move(access));
    }
  }
  return accesses;
}

/// In a program: static variables that its threads write, two of them under no common lock (Savage et al.:
/// Eraser, TOCS 1997, by the text).
void addWritesOfThreads(const Survey& survey, std::vector<LockGuess>& guesses) {
  if (!survey.find("main")) return;
  std::set<std::string> threads;
  for (const SurveyFunction& function : survey.functions)
    threads.insert(function.starts.begin(), function.starts.end());
  std::map<std::string, std::vector<ThreadWrite>> writes;  // by data
  std::set<std::string> isAtomic;
  for (const std::string& name : threads) {
    const SurveyFunction* thread = survey.find(name);
    if (!thread) continue;
    for (const SurveyAccess& access : nearAccesses(survey, *thread)) {
      // Members are named by their type, of which there may be several variables.
      const bool isMember = access.data.find('.') != std::string::npos;
      if (!access.isStatic || isMember || access.lines.empty()) continue;
      if (access.held.contains(kAtomically)) isAtomic.insert(access.data);
      if (access.isWrite)
        writes[access.data].push_back(
            {name, survey.startedInLoops.contains(name), *access.lines.begin(), access.held});
    }
  }
  for (const auto& [data, all] : writes) {
    const auto pair = isAtomic.contains(data) ? std::nullopt : firstUnordered(all);
    if (!pair) continue;
    const auto& [a, b] = *pair;
    LockGuess guess{data, a.thread, {a.line, b.line}, a.line, ""};
    guess.why = "is written by threads that run '" + a.thread + "'" +
                (a.thread == b.thread ? "" : " and '" + b.thread + "'") + ", under no common lock" +
                (a.line == b.line ? "" : " (also in line " + std::to_string(b.line) + ")");
    guesses.push_back(std::move(guess));
  }
}

}  // namespace

void addThreadGuesses(const Survey& survey, std::vector<LockGuess>& guesses) {
  const Contexts contexts = callContextsOf(survey);
  addUnsignalled(survey, contexts, guesses);
  addUnlockedChanges(survey, contexts, guesses);
  addBehindStarts(survey, guesses);
  addSharedResults(survey, contexts, guesses);
  addStatics(survey, contexts, guesses);
  addWritesOfThreads(survey, guesses);
}

}  // namespace heddle
