#include "server/source/harness_contract.h"

#include <algorithm>

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

}  // namespace

std::vector<std::string> brokenContracts(const GeneratedHarness& harness, const Finding& finding) {
  std::vector<std::string> broken;
  if (finding.steps.empty()) return broken;
  if (!harness.consumer.empty() && !isOfVariables(finding))
    broken.push_back("the object that '" + harness.consumer + "' frees is still used");
  return broken;
}

}  // namespace heddle
