// What a finding in a generated harness says of the functions called, and what only of calls that nobody may
// make: a failure counts where a caller who keeps to what the file itself shows comes to it.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "analysis/blocked_step.h"
#include "server/source/generated_harness.h"
#include "server/source/harness.h"
#include "server/source/harness_callers.h"
#include "server/source/harness_contract.h"
#include "server/source/lock_sections.h"

namespace heddle {
namespace {

constexpr const char* kNoLockOfCallers = "callers hold no lock of their own";
constexpr const char* kOnlyRacy = "' that only the racy '";  // a race of data that another race keeps apart

/// Set before use, by whoever has the object alone.
constexpr std::array kSettings = {"setattr", "setopt",    "attr",     "opt",     "option", "options",
                                  "config",  "configure", "callback", "handler", "hook"};

bool isSamePlace(const SourcePlace& a, const SourcePlace& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

/// Several callers use an object whose set-up started a thread, in whichever file: as a rule one thread does.
bool isOfObjectWithThreads(const Finding& finding) {
  const std::string& setUp = finding.steps.front().thread;
  return callersIn(finding).size() > 1 &&
         std::any_of(finding.steps.begin(), finding.steps.end(), [&](const Step& step) {
           return step.thread == setUp && step.kind == "create" && step.place.function != kHarnessEntry;
         });
}

/// Who makes the accesses that race, and how.
struct Racing {
  std::set<std::string> callers;
  bool isLocked = false;   // one of the accesses is made under a lock
  bool isStarted = false;  // one of the threads was started by a call
  bool isOther = false;    // one belongs to no call
};

Racing racingIn(const Finding& finding) {
  const std::set<std::string> callers = callersIn(finding);
  std::vector<SourcePlace> places = {finding.place};
  for (const RelatedPlace& related : finding.related) places.push_back(related.place);
  std::map<std::string, std::set<std::vector<uint32_t>>> held;
  Racing racing;
  bool isCalled = false;  // what sets up is over
  for (const Step& step : finding.steps) {
    isCalled |= !callerOf(step.thread, callers).empty();
    std::set<std::vector<uint32_t>>& locks = held[step.thread];
    if (step.kind == "lock") locks.insert(step.cells);
    if (step.kind == "unlock") locks.erase(step.cells);
    const bool isAccess = step.kind == "read" || step.kind == "write" || step.kind == "update";
    const auto isHere = [&](const SourcePlace& place) { return isSamePlace(place, step.place); };
    if (!isCalled || !isAccess || std::none_of(places.begin(), places.end(), isHere)) continue;
    const std::string caller = callerOf(step.thread, callers);
    racing.isLocked |= !locks.empty();
    racing.isOther |= caller.empty();
    racing.isStarted |= !caller.empty() && caller != step.thread;
    if (!caller.empty()) racing.callers.insert(caller);
  }
  return racing;
}

/// Callers race, or threads that their calls start, and none of them holds a lock at its access: only where
/// the calls are made by one thread, or under a lock of the callers, are such accesses right, and the file
/// does not say that they are not.
bool isUnlockedRaceOfCallers(const Finding& finding) {
  if (!isRace(finding)) return false;
  const Racing racing = racingIn(finding);
  return racing.callers.size() > 1 && !racing.isLocked && !racing.isOther;
}

/// A thread that one call has started races with another call, or with what that has started: as a rule one
/// thread makes such calls, for the threads share what the file has once.
bool isOfStartedThreads(const Finding& finding) {
  if (!isRace(finding)) return false;
  const Racing racing = racingIn(finding);
  return racing.callers.size() > 1 && racing.isStarted;
}

/// The failing thread has read what a thread beside the one that set up had written before, or has met one in
/// another way than at a lock.
bool hasMetOthers(const Finding& finding) {
  const std::string& setUp = finding.steps.front().thread;
  const std::string& failing = finding.steps.back().thread;
  std::set<uint32_t> written;  // by others
  const std::set<std::string> callers = callersIn(finding);
  // What threads that the set-up has started touch, and what of it in another way than at a lock.
  std::set<uint32_t> touched, touchedOddly;
  bool isAlone = true;
  for (const Step& step : finding.steps) {
    const bool isPlain = step.kind == "read" || step.kind == "write" || step.kind == "update" ||
                         step.kind == "lock" || step.kind == "unlock" || step.kind == "start" ||
                         step.kind == "end" || step.kind == "create";
    const bool isOfSetUp = callerOf(step.thread, callers).empty();
    const auto isIn = [&](const std::set<uint32_t>& cells) {
      return std::any_of(step.cells.begin(), step.cells.end(),
                         [&](uint32_t cell) { return cells.contains(cell); });
    };
    if (step.thread != setUp && step.thread != failing) {
      if (step.kind == "write" || step.kind == "update") written.insert(step.cells.begin(), step.cells.end());
      if (isOfSetUp) {
        touched.insert(step.cells.begin(), step.cells.end());
        if (!isPlain) touchedOddly.insert(step.cells.begin(), step.cells.end());
        continue;
      }
      if (step.kind != "start" && step.kind != "end") isAlone = false;
      if (!isPlain) return true;
    } else if (step.thread == failing) {
      if (!isPlain && (!isAlone || isIn(touched))) return true;
      if (isIn(touchedOddly)) return true;
      if ((step.kind == "read" || step.kind == "update") && isIn(written)) return true;
    }
  }
  return false;
}

/// One call alone comes to it, whatever other threads have done: it may be one that nobody makes in that
/// state.
bool isOfOneCall(const Finding& finding) {
  const bool isFailure = finding.kind == Property::Assert || finding.kind == Property::Memory ||
                         finding.kind == Property::Misuse || finding.kind == Property::Uninitialized;
  const std::string& setUp = finding.steps.front().thread;
  const std::string& failing = finding.steps.back().thread;
  if (!isFailure || !callersIn(finding).contains(failing)) return false;
  // What is freed, and who uses a mutex, is more than values tell.
  if (finding.kind != Property::Misuse && finding.freedAt.line == 0) return !hasMetOthers(finding);
  return std::all_of(finding.steps.begin(), finding.steps.end(), [&](const Step& step) {
    return step.thread == setUp || step.thread == failing || step.kind == "start" || step.event == "start";
  });
}

/// The thread that sets up and takes down fails while it takes down, and has read nothing that a caller
/// wrote: so the calls have nothing to do with it.
bool isOfTakeDown(const Finding& finding) {
  const bool isFailure = finding.kind == Property::Assert || finding.kind == Property::Memory ||
                         finding.kind == Property::Uninitialized;
  const std::string& setUp = finding.steps.front().thread;
  if (!isFailure || finding.freedAt.line != 0 || finding.steps.back().thread != setUp) return false;
  std::set<uint32_t> written;  // by others
  for (const Step& step : finding.steps) {
    const bool writes = step.kind == "write" || step.kind == "update";
    if (step.thread != setUp && writes) written.insert(step.cells.begin(), step.cells.end());
    if (step.thread == setUp && (step.kind == "read" || step.kind == "update") &&
        std::any_of(step.cells.begin(), step.cells.end(),
                    [&](uint32_t cell) { return written.contains(cell); }))
      return false;
  }
  return true;
}

/// It reaches beyond what the harness passes, or frees it: how large that is, and whose, is a guess where no
/// type says it.
bool isBeyondArgument(const Finding& finding) {
  if (finding.kind != Property::Memory) return false;
  return finding.message.starts_with("free of 'heddle_") ||
         (finding.message.starts_with("out-of-bounds") &&
          (finding.message.find(" 'heddle_item") != std::string::npos ||
           finding.message.find(" 'heddle_out") != std::string::npos ||
           finding.message.find(" 'heddle_text") != std::string::npos));
}

/// The null pointer is one that nobody in the harness sets, and others do; empty: it is none.
std::string notSetUpAt(const GeneratedHarness& harness, const Finding& finding) {
  const auto found = harness.notSetUp.find(finding.place.line);
  if (finding.kind != Property::Memory || !finding.message.starts_with("null pointer")) return "";
  if (finding.place.file == harness.place.file && found != harness.notSetUp.end()) return found->second;
  const auto given = harness.notSetUpIn.find(finding.place.function);
  return given == harness.notSetUpIn.end() ? "" : given->second;
}

/// The null pointer is in the harness' own object, which is all zero where none of its functions has set it,
/// whichever file reads it: it is the last one that the function has read, there or into a local variable
/// before. Empty: it is none.
std::string memberNotSetUp(const GeneratedHarness& harness, const Finding& finding) {
  if (finding.kind != Property::Memory || !finding.message.starts_with("null pointer")) return "";
  const std::string own = "read heddle_object", null = " = NULL";
  const auto read = std::find_if(finding.steps.rbegin(), finding.steps.rend(), [&](const Step& step) {
    return step.kind == "read" && step.thread == finding.steps.back().thread &&
           step.place.file == finding.place.file && step.place.function == finding.place.function &&
           step.event.ends_with(null);
  });
  if (read == finding.steps.rend() || !read->event.starts_with(own)) return "";
  const std::string place = read->event.substr(0, read->event.size() - null.size());
  const size_t dot = place.rfind('.');
  const bool isSet = std::any_of(finding.steps.begin(), finding.steps.end(), [&](const Step& step) {
    return (step.kind == "write" || step.kind == "update") && step.cells == read->cells;
  });
  if (dot == std::string::npos || isSet || harness.setMembers.contains(place.substr(dot + 1))) return "";
  return place.substr(dot + 1);
}

/// Another file meets a null pointer, and the harness' objects have some that only other files set. What one
/// thread alone reads is no step, so which one it is does not show.
bool isOfOtherFiles(const GeneratedHarness& harness, const Finding& finding) {
  return finding.kind == Property::Memory && finding.message.starts_with("null pointer") &&
         finding.place.file != harness.place.file && !harness.leftNull.empty();
}

/// The threads that the harness makes end with their call, and what they keep by a key is freed then; another
/// function of the file takes it out before.
bool isOfThreadsEnd(const GeneratedHarness& harness, const Finding& finding) {
  const bool isOfFree = finding.freedAt.line != 0 || isRace(finding);
  return harness.resetsKeys && isOfFree &&
         std::any_of(finding.steps.begin(), finding.steps.end(), [](const Step& step) {
           return step.event.starts_with("free ") && step.place.function.starts_with("heddle_thread_");
         });
}

/// A caller waits to be woken, in a function of whichever file.
bool waitsToBeWoken(const Finding& finding) {
  const std::set<std::string> callers = callersIn(finding);
  return finding.kind == Property::Deadlock &&
         std::any_of(finding.steps.begin(), finding.steps.end(), [&](const Step& step) {
           return step.kind == kBlockedStep && callers.contains(step.thread) &&
                  (step.event.find(" a signal on ") != std::string::npos ||
                   step.event.find(" semaphore ") != std::string::npos);
         });
}

/// It waits for what a function changes that was handed to an unknown one: the report says already that this
/// calls nobody. Empty: it does not.
std::string waitsForHandedOver(const GeneratedHarness& harness, const Finding& finding) {
  if (finding.kind != Property::Deadlock || finding.place.file != harness.place.file) return "";
  for (const std::string& assumed : finding.assumes) {
    const size_t end = assumed.find("', ");
    if (!assumed.starts_with('\'') || end == std::string::npos ||
        assumed.find("calls no function back") == std::string::npos)
      continue;
    const auto handed = harness.handedOver.find(assumed.substr(1, end - 1));
    if (handed != harness.handedOver.end() && handed->second.contains(finding.place.line))
      return handed->first;
  }
  return "";
}

/// Nobody has said what is to be called: hooks are set where a program begins, and a harness does not know
/// how. A pointer that some call has made null is theirs.
bool isUnsetHook(const Finding& finding) {
  return finding.kind == Property::Memory &&
         finding.message.starts_with("call through a null function pointer") &&
         std::none_of(finding.steps.begin(), finding.steps.end(), [](const Step& step) {
           return step.kind == "write" && step.event.ends_with("= NULL");
         });
}

/// The null pointer is in the harness' own variable, which another call was given to set.
bool isOfSharedVariable(const Finding& finding) {
  const auto isOwn = [](const RelatedPlace& related) {
    return related.message.find(": write heddle_object") != std::string::npos &&
           related.message.ends_with("= NULL");
  };
  return finding.kind == Property::Memory && finding.message.starts_with("null pointer") &&
         std::any_of(finding.related.begin(), finding.related.end(), isOwn);
}

/// The callers whose writes the failing thread has read.
std::set<std::string> readFrom(const Finding& finding) {
  const std::string& failing = finding.steps.back().thread;
  std::map<uint32_t, std::string> writers;  // by cell, the last one
  std::set<std::string> threads;
  for (const Step& step : finding.steps) {
    const bool reads = step.kind == "read" || step.kind == "update";
    for (const uint32_t cell : step.cells) {
      const auto writer = writers.find(cell);
      if (step.thread == failing && reads && writer != writers.end()) threads.insert(writer->second);
      if (step.kind == "write" || step.kind == "update") writers[cell] = step.thread;
    }
  }
  threads.erase(failing);
  return threads;
}

/// The finding has to do with one of the functions, by its places; none of them: with any.
bool isIn(const std::set<std::string>& functions, const Finding& finding) {
  const auto isOne = [&](const SourcePlace& place) { return functions.contains(place.function); };
  return functions.empty() || isOne(finding.place) || isOne(finding.freedAt) ||
         std::any_of(finding.related.begin(), finding.related.end(),
                     [&](const RelatedPlace& related) { return isOne(related.place); });
}

/// A call that gives a reference back has freed or destroyed what another call uses, or has left the object
/// as nobody may use it any more: as a rule each caller has a reference of its own, and in the harness there
/// is one.
bool isOfLastReference(const GeneratedHarness& harness, const Finding& finding) {
  const auto says = [&](const char* what) { return finding.message.find(what) != std::string::npos; };
  // Who unlocks what it does not hold has to answer for it.
  const bool isOfEnd =
      finding.freedAt.line != 0 ||
      (finding.kind == Property::Misuse && (says("destr") || finding.message.starts_with("free of")));
  const bool isOfValues = finding.kind == Property::Assert || finding.message.starts_with("null pointer");
  if (!isOfEnd && !isOfValues) return false;
  // What is destroyed while it is used, the finding says of both sides.
  std::set<std::string> ending;
  if (!isOfEnd) ending = readFrom(finding);
  for (const Step& step : finding.steps)
    if (isOfEnd && (finding.freedAt.line == 0 || isSamePlace(step.place, finding.freedAt)))
      ending.insert(step.thread);
  return std::any_of(finding.threads.begin(), finding.threads.end(), [&](const ThreadDescription& thread) {
    const auto giver = harness.givers.find(calledBy(harness, thread));
    return ending.contains(thread.label) && giver != harness.givers.end() && isIn(giver->second, finding);
  });
}

/// One of the calls sets how the object behaves, by its name.
bool isOfSetting(const GeneratedHarness& harness, const Finding& finding) {
  return isRace(finding) &&
         std::any_of(harness.functions.begin(), harness.functions.end(), [](const std::string& name) {
           return std::any_of(kSettings.begin(), kSettings.end(), [&](const char* word) {
             return name.ends_with(std::string("_") + word) || name == word;
           });
         });
}

/// A function races with itself for data that no other function writes: one thread may make all such calls.
bool isOfOneWriter(const GeneratedHarness& harness, const Finding& finding) {
  if (!isRace(finding) || !harness.ownLines.contains(finding.place.line)) return false;
  const std::set<std::string> callers = callersIn(finding);
  return racingIn(finding).callers.size() > 1 &&
         std::all_of(finding.steps.begin(), finding.steps.end(), [&](const Step& step) {
           return callerOf(step.thread, callers) == step.thread ||
                  step.thread == finding.steps.front().thread;
         });
}

/// What is freed or destroyed may be so because of what it was made with.
bool isOfMixedObjects(const GeneratedHarness& harness, const Finding& finding) {
  return harness.mixesObjects && !isRace(finding);
}

}  // namespace

void demoteConsequences(std::vector<Finding>& certain, std::vector<Finding>& possible) {
  // Who frees what was read under a lock has to answer for it.
  const auto isOfAccesses = [](const Finding& finding) {
    return isUnlockedRaceOfCallers(finding) && finding.message.starts_with("data race on") &&
           std::none_of(finding.related.begin(), finding.related.end(), [](const RelatedPlace& related) {
             return related.message.find(" frees ") != std::string::npos;
           });
  };
  if (std::none_of(possible.begin(), possible.end(), isOfAccesses)) return;
  const auto isRoot = [](const Finding& finding) {
    const bool isBehindRace = finding.message.find(kOnlyRacy) != std::string::npos;
    return (isRace(finding) && !isBehindRace) || finding.kind == Property::Deadlock;
  };
  const auto consequences = std::stable_partition(certain.begin(), certain.end(), isRoot);
  for (auto finding = consequences; finding != certain.end(); ++finding) {
    finding->possible = true;
    finding->plans.clear();
    finding->assumes.emplace_back(kNoLockOfCallers);
    possible.push_back(std::move(*finding));
  }
  certain.erase(consequences, certain.end());
}

bool restsOnSetUp(const GeneratedHarness& harness, const Finding& finding) {
  return !notSetUpAt(harness, finding).empty() || !memberNotSetUp(harness, finding).empty() ||
         (isUnsetHook(finding) && !harness.testedHooks.contains(finding.place.line));
}

bool restsOnGlobals(const GeneratedHarness& harness, const Finding& finding) {
  return harness.setElsewhere.contains(notSetUpAt(harness, finding));
}

bool mayFailInTurn(const GeneratedHarness& harness, const Finding& finding) {
  // What is freed, and who uses a mutex, is more than the state in which a call is made.
  const bool isOfValues = finding.kind == Property::Assert || finding.kind == Property::Uninitialized ||
                          (finding.kind == Property::Memory && finding.freedAt.line == 0);
  return !harness.inTurn.empty() && isOfValues;
}

bool failsInTurn(const Finding& finding, const Finding& inTurn) {
  if (inTurn.kind != finding.kind || inTurn.place != finding.place || inTurn.steps.empty()) return false;
  // An assertion says how calls may follow each other; of a wrong access only the first call says that nobody
  // makes it in that state.
  const std::set<std::string> callers = callersIn(inTurn);
  const std::string &setUp = inTurn.steps.front().thread, &failing = inTurn.steps.back().thread;
  return std::all_of(inTurn.steps.begin(), inTurn.steps.end(), [&](const Step& step) {
    const bool isOther = finding.kind == Property::Assert && callers.contains(step.thread);
    return step.thread == setUp || step.thread == failing || isOther;
  });
}

bool isCertain(const GeneratedHarness& harness, Finding& finding) {
  finding.assumes.insert(finding.assumes.begin(), harness.assumed.begin(), harness.assumed.end());
  if (namesLockSections(harness, finding)) return false;
  bool certain = harness.isCertain;
  const auto needs = [&](const std::string& what) {
    finding.assumes.push_back(what);
    certain = false;
  };
  if ((finding.kind == Property::Deadlock && harness.mayBlock) || waitsToBeWoken(finding))
    needs("nobody else wakes who waits there");
  if (const std::string data = notSetUpAt(harness, finding); !data.empty())
    needs("'" + data + "' was not set up");
  else if (const std::string member = memberNotSetUp(harness, finding); !member.empty())
    needs("'" + member + "' was not set up");
  else if (isOfOtherFiles(harness, finding))
    needs("'" + *harness.leftNull.begin() + "' and the like were not set up");
  if (isOfThreadsEnd(harness, finding)) needs("a thread ends without taking out what it keeps by a key");
  if (const std::string callee = waitsForHandedOver(harness, finding); !callee.empty())
    needs("no function that '" + callee + "' was given runs meanwhile");
  if (harness.repeatsObject) needs("one object may be given twice");
  if (isOfMixedObjects(harness, finding)) needs("an object is set up with the one that the calls work on");
  for (const std::string& name : harness.inner)
    needs("'" + name + "' may be called without the lock that its callers in the file hold");
  if (isOfSetting(harness, finding)) needs("the object is still configured when others use it");
  if (isBeyondArgument(finding)) needs("what is passed is no larger than that");
  if (restsOnLeftOut(finding)) needs("functions that do not compile do nothing that matters there");
  if (isOfTwoProcesses(harness)) needs("the calls are made in one process");
  if (isUnsetHook(finding)) needs("nobody sets the function pointer before the call");
  if (restsOnIdleHook(harness, finding)) needs("no function that is given sets the pointer");
  for (const std::string& broken : brokenContracts(harness, finding)) needs(broken);
  if (finding.steps.empty()) return certain;
  // How an object is set up was guessed by names: a failure before any call is made says nothing of the
  // calls. What one thread alone fails at may rest on variables that the program sets first.
  const auto isFirst = [&](const Step& step) { return step.thread == finding.steps.front().thread; };
  const bool isAlone = std::all_of(finding.steps.begin(), finding.steps.end(), isFirst);
  const bool isOfValues = finding.kind != Property::Misuse && finding.freedAt.line == 0;
  if (!harness.isParallel) {
    if (isAlone && isOfValues) needs("objects are set up like that");
    return certain;
  }
  if (isAlone || isOfTakeDown(finding))
    needs("objects are set up like that");
  else if (isOfOneCall(finding))
    needs("the call may be made in that state");
  else if (isOfSharedVariable(finding))
    needs("callers share the variable that holds the object");
  else if (isOfLastReference(harness, finding))
    needs("callers share one reference to the object");
  else if (isUnlockedRaceOfCallers(finding) || restsOnUnlockedAccesses(finding))
    needs(kNoLockOfCallers);
  else if (isOfStartedThreads(finding))
    needs("several threads make calls that start threads");
  else if (isOfOneWriter(harness, finding))
    needs("several threads call '" + harness.functions.front() + "'");
  else if (isOfObjectWithThreads(finding))
    needs("several threads use an object that has threads of its own");
  return certain;
}

}  // namespace heddle
