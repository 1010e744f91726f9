#include "server/source/harness_contract.h"

#include <algorithm>
#include <set>

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
  if (finding.steps.empty()) return broken;
  if (!harness.consumer.empty() && !isOfVariables(finding))
    broken.push_back("the object that '" + harness.consumer + "' frees is still used");
  if (const std::string single = singleRunTwice(harness, finding); !single.empty())
    broken.push_back("two threads run '" + single + "', of which the file starts one");
  return broken;
}

}  // namespace heddle
