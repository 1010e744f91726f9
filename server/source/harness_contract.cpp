#include "server/source/harness_contract.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/blocked_step.h"
#include "analysis/support/name_words.h"

namespace heddle {
namespace {

/// It races, or threads wait, for variables of the file only: whose object the calls work on has no part in
/// it.
bool isOfVariables(const Finding& finding) {
  // What is allocated is told of by its type, and has another key.
  const auto isVariable = [](const FindingObject& object) {
    return object.key.starts_with(object.name + '#') && object.name.find("->") == std::string::npos &&
           object.name.find(' ') == std::string::npos && !object.name.starts_with("heddle_");
  };
  return (isRace(finding) || finding.kind == Property::Deadlock) && !finding.about.empty() &&
         std::all_of(finding.about.begin(), finding.about.end(), isVariable);
}

/// Threads that the finding needs at once: those that race, else all that take part.
std::vector<ThreadDescription> threadsOf(const Finding& finding) {
  std::vector<ThreadDescription> threads = finding.threads;
  if (!isRace(finding)) return threads;
  std::erase_if(threads, [&](const ThreadDescription& thread) {
    return std::none_of(finding.related.begin(), finding.related.end(), [&](const RelatedPlace& related) {
      return related.message.starts_with(thread.label + ' ');
    });
  });
  return threads;
}

/// A function that two threads run, of which the file starts one; empty: there is none.
std::string singleRunTwice(const GeneratedHarness& harness, const Finding& finding) {
  std::set<std::string> run;
  for (const ThreadDescription& thread : threadsOf(finding)) {
    const std::string called = calledBy(harness, thread);
    const std::string& function = called.empty() ? thread.function : called;
    if (harness.singleThreads.contains(function) && !run.insert(function).second) return function;
  }
  return "";
}

/// What takes the object down meets a thread that a call or the set-up has started.
bool isOfUnstoppedThread(const GeneratedHarness& harness, const Finding& finding) {
  if (harness.stop.function.empty() || finding.kind == Property::Deadlock) return false;
  const auto isOfEnd = [&](const SourcePlace& place) {
    return harness.stop.endings.contains(place.function);
  };
  const bool isOfTakeDown = isOfEnd(finding.place) || isOfEnd(finding.freedAt) ||
                            std::any_of(finding.related.begin(), finding.related.end(),
                                        [&](const RelatedPlace& related) { return isOfEnd(related.place); });
  const std::string& setUp = finding.steps.front().thread;
  return isOfTakeDown &&
         std::any_of(finding.threads.begin(), finding.threads.end(), [&](const ThreadDescription& thread) {
           return thread.label != setUp && calledBy(harness, thread).empty();
         });
}

/// Threads that release nothing any more: those that have ended, and the one that only sets up and takes
/// down.
std::set<std::string> goneThreads(const Finding& finding) {
  std::set<std::string> gone = {finding.steps.front().thread};
  for (const Step& step : finding.steps)
    if (step.kind == "end") gone.insert(step.thread);
  return gone;
}

bool isLeftLocked(const Finding& finding) {
  const std::set<std::string> gone = goneThreads(finding);
  std::map<std::vector<uint32_t>, std::string> holders;
  for (const Step& step : finding.steps) {
    if (step.kind == "lock") holders[step.cells] = step.thread;
    if (step.kind == "unlock") holders.erase(step.cells);
  }
  return std::any_of(holders.begin(), holders.end(),
                     [&](const auto& held) { return gone.contains(held.second); });
}

/// A thread waits for memory that it looks at again and again, and which one that is gone has written last,
/// or nobody but itself: so are locks left that the file makes of atomic operations, with tickets or without.
bool isLeftWritten(const GeneratedHarness& harness, const Finding& finding) {
  const std::set<std::string> gone = goneThreads(finding);
  const auto& steps = finding.steps;
  const auto isKeeper = [&](const ThreadDescription& thread) {
    return gone.contains(thread.label) && harness.keepers.contains(calledBy(harness, thread));
  };
  if (std::none_of(finding.threads.begin(), finding.threads.end(), isKeeper)) return false;
  return std::any_of(steps.begin(), steps.end(), [&](const Step& blocked) {
    if (blocked.kind != kBlockedStep) return false;
    const auto look = std::find_if(steps.rbegin(), steps.rend(), [&](const Step& step) {
      return step.thread == blocked.thread && !step.cells.empty();
    });
    if (look == steps.rend() || (look->kind != "read" && look->kind != "update")) return false;
    // A compare-and-exchange that fails is an update, too.
    const auto write = std::find_if(steps.rbegin(), steps.rend(), [&](const Step& step) {
      return (step.kind == "write" || step.kind == "update") && step.thread != blocked.thread &&
             step.cells == look->cells;
    });
    return write == steps.rend() || gone.contains(write->thread);
  });
}

/// A thread calls what undoes the effect of another call that it has not made. Accesses that race do so
/// whatever came before.
std::string undoneBefore(const GeneratedHarness& harness, const Finding& finding) {
  if (isRace(finding)) return "";
  for (const ThreadDescription& thread : finding.threads) {
    const auto undo = harness.undoes.find(calledBy(harness, thread));
    if (undo != harness.undoes.end())
      return "'" + undo->first + "' is called without '" + undo->second + "' before";
  }
  // One thread makes all calls.
  const auto undo = harness.undoes.find(finding.place.function);
  if (!harness.isParallel && undo != harness.undoes.end())
    return "'" + undo->first + "' is called without '" + undo->second + "' before";
  return "";
}

/// A thread ends without the call that undoes one which it has made, and what it leaves behind is still used.
std::string notUndone(const GeneratedHarness& harness, const Finding& finding) {
  if (finding.message.find("after its thread ended") == std::string::npos) return "";
  for (const ThreadDescription& thread : finding.threads) {
    const auto done = harness.undone.find(calledBy(harness, thread));
    if (done != harness.undone.end())
      return "a thread ends that has called '" + done->first + "' and not '" + done->second + "'";
  }
  return "";
}

/// A made-up function that the execution has called, of which the report says already what was assumed;
/// empty: none.
std::string calledHook(const GeneratedHarness& harness, const Finding& finding) {
  for (const std::string& hook : harness.hooks)
    for (const std::string& assumed : finding.assumes)
      if (assumed.starts_with("'" + hook + "', ")) return hook;
  return "";
}

}  // namespace

std::string calledBy(const GeneratedHarness& harness, const ThreadDescription& thread) {
  const std::string prefix = "heddle_thread_";
  if (!thread.function.starts_with(prefix)) return "";
  const size_t number = std::stoul(thread.function.substr(prefix.size()));
  const size_t index = harness.prepared + number - 1;
  return number > 0 && index < harness.functions.size() ? harness.functions[index] : "";
}

std::vector<std::string> brokenContracts(const GeneratedHarness& harness, const Finding& finding) {
  std::vector<std::string> broken;
  if (const std::string hook = calledHook(harness, finding); !hook.empty())
    broken.push_back("the caller's function is '" + hook + "'");
  // A build may make the header that says how many there are.
  if (finding.kind == Property::Memory && finding.message.ends_with(" of 0)"))
    broken.emplace_back("the array has no elements, as what was made of its headers has it");
  if (finding.steps.empty()) return broken;
  if (finding.kind == Property::Deadlock && !harness.keepers.empty() &&
      (isLeftLocked(finding) || isLeftWritten(harness, finding)))
    broken.emplace_back("nobody releases what a call before left locked");
  if (!harness.consumer.empty() && !isOfVariables(finding))
    broken.push_back("the object that '" + harness.consumer + "' frees is still used");
  if (isOfUnstoppedThread(harness, finding))
    broken.push_back("'" + harness.stop.function + "' is not called before the object is taken down");
  if (const std::string single = singleRunTwice(harness, finding); !single.empty())
    broken.push_back("two threads run '" + single + "', of which the file starts one");
  if (const std::string kept = notUndone(harness, finding); !kept.empty()) broken.push_back(kept);
  if (const std::string undone = undoneBefore(harness, finding); !undone.empty()) broken.push_back(undone);
  return broken;
}

bool restsOnLeftOut(const Finding& finding) {
  return std::any_of(finding.assumes.begin(), finding.assumes.end(), [](const std::string& assumed) {
    return assumed.find("(does not compile)") != std::string::npos;
  });
}

bool restsOnIdleHook(const GeneratedHarness& harness, const Finding& finding) {
  const auto doesNothing = [](const std::string& assumed) {
    return assumed.starts_with("the function that is given for") &&
           assumed.find("does nothing") != std::string::npos;
  };
  return finding.kind == Property::Memory && finding.message.starts_with("null pointer") &&
         std::any_of(harness.assumed.begin(), harness.assumed.end(), doesNothing);
}

bool isOfTwoProcesses(const GeneratedHarness& harness) {
  return std::any_of(harness.functions.begin(), harness.functions.end(), [](const std::string& name) {
    return hasWord(name, {"fork", "prefork", "postfork", "atfork"}) && hasWord(name, {"child"});
  });
}

}  // namespace heddle
