#include "server/source/harness_callers.h"

#include <algorithm>
#include <map>
#include <vector>

namespace heddle {
namespace {

using Clock = std::map<std::string, size_t>;  // by thread: its steps that come before

void join(Clock& into, const Clock& from) {
  for (const auto& [thread, step] : from) into[thread] = std::max(into[thread], step);
}

/// Follows the steps of a finding in their order: locks that are held, and what comes before what. Every two
/// operations of one lock or atomic object count as ordered, so fewer accesses are unordered than are.
class FollowedSteps {
 public:
  explicit FollowedSteps(const Finding& finding) : callers_(callersIn(finding)) {}

  /// The step is an access that nothing orders behind one of another caller to the same data, without a lock
  /// on either side.
  bool isUnlockedConflict(const Step& step) {
    Thread& thread = follow(step);
    const bool isWrite = step.kind == "write";
    if (step.isSync || (!isWrite && step.kind != "read")) return false;
    const std::string caller = callerOf(step.thread, callers_);
    const bool isUnlocked = !caller.empty() && thread.locks.empty() && !step.event.starts_with("free ");
    bool conflicts = false;
    for (const uint32_t cell : step.cells) {
      std::vector<Access>& earlier = accesses_[cell];
      conflicts |= isUnlocked && std::any_of(earlier.begin(), earlier.end(), [&](const Access& other) {
                     const auto known = thread.clock.find(other.thread);
                     const bool isOrdered = known != thread.clock.end() && known->second >= other.step;
                     return other.caller != caller && (isWrite || other.isWrite) && !isOrdered;
                   });
      // Of each thread and kind the last.
      std::erase_if(earlier, [&](const Access& other) {
        return other.thread == step.thread && other.isWrite == isWrite;
      });
      if (isUnlocked) earlier.push_back({step.thread, caller, thread.clock[step.thread], isWrite});
    }
    return conflicts;
  }

 private:
  struct Thread {
    Clock clock;
    std::set<std::vector<uint32_t>> locks;
  };
  struct Access {
    std::string thread, caller;
    size_t step = 0;
    bool isWrite = false;
  };

  Thread& follow(const Step& step) {
    const auto [at, isNew] = threads_.try_emplace(step.thread);
    Thread& thread = at->second;
    const size_t dot = step.thread.rfind('.');
    if (isNew && dot != std::string::npos)
      if (const auto parent = threads_.find(step.thread.substr(0, dot)); parent != threads_.end())
        join(thread.clock, parent->second.clock);
    ++thread.clock[step.thread];
    if (step.kind == "lock") thread.locks.insert(step.cells);
    if (step.kind == "unlock") thread.locks.erase(step.cells);
    const bool isAccess = step.kind == "read" || step.kind == "write";
    if (isAccess && !step.isSync) return thread;
    for (const uint32_t cell : step.cells) {
      Clock& met = met_[cell];
      join(thread.clock, met);
      join(met, thread.clock);
    }
    return thread;
  }

  const std::set<std::string> callers_;
  std::map<std::string, Thread> threads_;
  std::map<uint32_t, Clock> met_;                     // by cell of a lock or an atomic object
  std::map<uint32_t, std::vector<Access>> accesses_;  // by cell: plain ones without a lock
};

}  // namespace

std::set<std::string> callersIn(const Finding& finding) {
  std::set<std::string> callers;
  for (const ThreadDescription& thread : finding.threads)
    if (thread.function.starts_with("heddle_thread_")) callers.insert(thread.label);
  return callers;
}

std::string callerOf(const std::string& thread, const std::set<std::string>& callers) {
  for (const std::string& caller : callers)
    if (thread == caller || thread.starts_with(caller + '.')) return caller;
  return "";
}

bool restsOnUnlockedAccesses(const Finding& finding) {
  if (isRace(finding) || finding.kind == Property::Deadlock || finding.steps.empty()) return false;
  const std::string& failing = finding.steps.back().thread;
  FollowedSteps steps(finding);
  bool rests = false;
  for (const Step& step : finding.steps) rests |= steps.isUnlockedConflict(step) && step.thread == failing;
  return rests;
}

}  // namespace heddle
