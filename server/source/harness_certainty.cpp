// What a finding in a generated harness says of the functions called, and what only of calls that nobody may
// make: a failure counts where a caller who keeps to what the file itself shows comes to it.
#include <algorithm>
#include <map>
#include <set>

#include "server/source/generated_harness.h"

namespace heddle {
namespace {

/// The threads in which the harness makes its calls; those that the functions start are none.
std::set<std::string> callersIn(const Finding& finding) {
  std::set<std::string> callers;
  for (const ThreadDescription& thread : finding.threads)
    if (thread.function.starts_with("heddle_thread_")) callers.insert(thread.label);
  return callers;
}

bool isSamePlace(const SourcePlace& a, const SourcePlace& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

/// Callers race, and none of them holds a lock at its access: only where the calls are made by one thread, or
/// under a lock of the callers, are such accesses right, and the file does not say that they are not.
bool isUnlockedRaceOfCallers(const Finding& finding) {
  if (!isRace(finding)) return false;
  const std::set<std::string> callers = callersIn(finding);
  std::vector<SourcePlace> places = {finding.place};
  for (const RelatedPlace& related : finding.related) places.push_back(related.place);
  std::map<std::string, std::set<std::vector<uint32_t>>> held;
  std::set<std::string> racing;
  for (const Step& step : finding.steps) {
    std::set<std::vector<uint32_t>>& locks = held[step.thread];
    if (step.kind == "lock") locks.insert(step.cells);
    if (step.kind == "unlock") locks.erase(step.cells);
    const bool isAccess = step.kind == "read" || step.kind == "write" || step.kind == "update";
    const auto isHere = [&](const SourcePlace& place) { return isSamePlace(place, step.place); };
    if (!isAccess || std::none_of(places.begin(), places.end(), isHere)) continue;
    if (!locks.empty() || !callers.contains(step.thread)) return false;
    racing.insert(step.thread);
  }
  return !racing.empty();
}

/// One call alone comes to it, for no other thread has done anything: it may be one that nobody makes in that
/// state.
bool isOfOneCall(const Finding& finding) {
  const bool isFailure = finding.kind == Property::Assert || finding.kind == Property::Memory ||
                         finding.kind == Property::Misuse || finding.kind == Property::Uninitialized;
  const std::string& setUp = finding.steps.front().thread;
  const std::string& failing = finding.steps.back().thread;
  return isFailure && callersIn(finding).contains(failing) &&
         std::all_of(finding.steps.begin(), finding.steps.end(), [&](const Step& step) {
           return step.thread == setUp || step.thread == failing || step.kind == "start" ||
                  step.event == "start";
         });
}

}  // namespace

bool isCertain(const GeneratedHarness& harness, Finding& finding) {
  finding.assumes.insert(finding.assumes.begin(), harness.assumed.begin(), harness.assumed.end());
  bool certain = harness.isCertain;
  const auto needs = [&](const char* what) {
    finding.assumes.push_back(what);
    certain = false;
  };
  if (finding.kind == Property::Deadlock && harness.mayBlock) needs("nobody else wakes who waits there");
  if (!harness.isParallel || finding.steps.empty()) return certain;
  // How an object is set up was guessed by names: a failure before any call is made says nothing of the
  // calls.
  const auto isFirst = [&](const Step& step) { return step.thread == finding.steps.front().thread; };
  if (std::all_of(finding.steps.begin(), finding.steps.end(), isFirst))
    needs("objects are set up like that");
  else if (isOfOneCall(finding))
    needs("the call may be made in that state");
  else if (isUnlockedRaceOfCallers(finding))
    needs("callers hold no lock of their own");
  return certain;
}

}  // namespace heddle
