#include "server/svcomp/decision.h"

#include <algorithm>

#include "analysis/failure_class.h"

namespace heddle::svcomp {
namespace {

/// Which of the competition's properties the finding violates; empty: none that is asked for.
std::string violatedBy(const Finding& finding, Specification asked) {
  switch (asked) {
    case Specification::UnreachCall:
      return isErrorLocation(finding) ? "unreach-call" : "";
    case Specification::NoDataRace:
      return isRace(finding) ? "no-data-race" : "";
    case Specification::NoOverflow:
      return finding.kind == Property::Overflow ? "no-overflow" : "";
    case Specification::MemCleanup:
      return isLeak(finding) ? "valid-memcleanup" : "";
    case Specification::MemSafety:
      // Memory that is still pointed to may stay: a leak here need not be one there.
      if (finding.kind != Property::Memory || isLeak(finding) || isInnerIndex(finding)) return "";
      return isWrongFree(finding) ? "valid-free" : "valid-deref";
  }
  return "";
}

std::string whyUnknown(const Report& report, Specification asked) {
  if (!report.problem.empty()) return report.problem;
  for (const Finding& finding : report.findings)
    return finding.message + ", which is no violation of " + toString(asked) +
           ", and what comes after it is not known";
  if (!report.bounds.empty()) return "verified within bounds: " + report.bounds.front().text;
  if (!report.assumptions.empty()) return "verified under an assumption: " + report.assumptions.front().text;
  return "not everything was explored";
}

}  // namespace

Decision decisionOf(const Report& report, Specification asked) {
  for (const Finding& finding : report.findings) {
    if (isWarning(finding)) continue;
    const std::string violated = violatedBy(finding, asked);
    if (!violated.empty()) return {Answer::False, violated, &finding, ""};
  }
  const std::set<Property> properties = propertiesOf(asked);
  const bool isVerified = std::all_of(properties.begin(), properties.end(), [&](Property property) {
    const auto at = report.properties.find(property);
    return at != report.properties.end() && at->second == heddle::Verdict::Verified;
  });
  if (isVerified && report.findings.empty()) return {Answer::True, "", nullptr, ""};
  return {Answer::Unknown, "", nullptr, whyUnknown(report, asked)};
}

std::string toString(const Decision& decision) {
  switch (decision.answer) {
    case Answer::True:
      return "true";
    case Answer::False:
      return "false(" + decision.property + ")";
    case Answer::Unknown:
      return "unknown";
  }
  return "unknown";
}

}  // namespace heddle::svcomp
