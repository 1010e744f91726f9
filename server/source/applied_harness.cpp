// What a finding over a generated harness is worth.
#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "analysis/failure_class.h"
#include "analysis/support/harness_names.h"
#include "server/source/generated_harness.h"
#include "server/source/harness_state.h"

namespace heddle {
namespace {

bool isGreen(Verdict verdict) {
  return verdict == Verdict::Verified || verdict == Verdict::VerifiedWithinBounds;
}

/// All that the threads wait for are signals: those that the set-up has started may wait for another call.
bool isWaitForSignals(const Finding& finding) {
  const auto count = [&](std::string_view part) {
    size_t found = 0;
    for (size_t at = finding.message.find(part); at != std::string::npos;
         at = finding.message.find(part, at + 1))
      ++found;
    return found;
  };
  return finding.message.starts_with("deadlock: T0 waits for a signal") &&
         count(" waits for ") == count(" waits for a signal ");
}

/// What fails where one call is made with any arguments says nothing of the call where it is a pointer that
/// the program sets up elsewhere, or what an unknown function leaves.
bool isOfNoCall(const GeneratedHarness& harness, const Finding& finding) {
  const bool isOfPointer =
      finding.kind == Property::Memory &&
      (finding.message.starts_with("null pointer") || finding.message.starts_with("call through a null"));
  // What the file keeps to itself leaves it to its callers which pointers are null, and how large numbers
  // are.
  const bool isOfAllocation = needsFailedAllocation(finding);
  const bool isOfCallers =
      harness.isInner && ((isOfPointer && !isOfAllocation) || finding.message.starts_with("shift of") ||
                          finding.message.find("an invalid address") != std::string::npos);
  // What one thread waits for, another one does, and there is none.
  const bool isOfOthers =
      finding.kind == Property::Deadlock &&
      (isWaitForSignals(finding) ||
       (finding.threads.size() < 2 && finding.message.starts_with("deadlock: T0 waits for input")));
  // Which threads were started, the program says; but what the end of the process runs comes in any case, and
  // a creation that failed is known.
  if (finding.kind == Property::Misuse && finding.message.ends_with("is given no thread"))
    return !harness.isAtEnd && !hasFailedCreation(finding);
  // A number that leads from one object to a function of the harness is one that nobody passes.
  if (finding.message.find(" the code of function " + std::string(kHarnessPrefix)) != std::string::npos)
    return true;
  // A lock that nothing sets up may be held first: "{1}" in its initializer.
  if (finding.kind == Property::Deadlock && harness.sections.isZeroLock) return true;
  // Where a call jumps to, its callers say.
  const bool isOfJump = finding.message.starts_with("longjmp with a buffer that no setjmp");
  return harness.isAlone && (finding.possible || isOfOthers || isOfJump || isOfCallers ||
                             (isOfPointer && restsOnSetUp(harness, finding)));
}

/// What the function reads in front of an empty text it reads in front of others, too: callers pass pointers
/// into something.
bool looksBack(const Report& report, const Finding& finding) {
  const auto says = [&](const char* what) { return finding.message.find(what) != std::string::npos; };
  if (finding.kind != Property::Memory || (!says("(index -") && !says("(offset -"))) return false;
  if (std::strtoull(finding.message.c_str() + finding.message.find(" -") + 2, nullptr, 10) > kFarBack)
    return false;
  return std::any_of(report.assumptions.begin(), report.assumptions.end(), [&](const Assumption& assumed) {
    return assumed.text.starts_with("what callers pass is as large") && assumed.place == finding.place;
  });
}

/// Functions of the harness that nothing needed, and sides of conditions in them, are nobody's.
void leaveOutOwn(Report& report) {
  if (!report.reach) return;
  const auto leaveOut = [&](Unreached::Kind kind, ReachCount& count) {
    const size_t left = std::erase_if(report.reach->unreached, [&](const Unreached& what) {
      return what.kind == kind && what.function.starts_with(kHarnessPrefix);
    });
    count.all -= static_cast<uint32_t>(left);
  };
  leaveOut(Unreached::Kind::BranchSide, report.reach->branchSides);
  leaveOut(Unreached::Kind::Function, report.reach->functions);
}

void notReached(const std::string& what, Report& report) {
  if (isGreen(report.verdict)) {
    report.verdict = Verdict::Incomplete;
    report.problem = "not reached: " + what;
    report.problemKind = ProblemKind::NotReached;
  }
  for (auto& [property, verdict] : report.properties)
    if (isGreen(verdict)) verdict = Verdict::Incomplete;
}

bool hasWeakBound(const Report& report) {
  return std::any_of(report.bounds.begin(), report.bounds.end(),
                     [](const NamedBound& bound) { return bound.kind == BoundKind::WeakAtomics; });
}

}  // namespace

void judgeByFindings(Report& report) {
  const auto hasOf = [](const std::vector<Finding>& findings, Property property) {
    return std::any_of(findings.begin(), findings.end(),
                       [&](const Finding& f) { return f.kind == property; });
  };
  bool anyPossible = false;
  for (auto& [property, verdict] : report.properties) {
    if (verdict == Verdict::Violated && !hasOf(report.findings, property)) verdict = Verdict::Incomplete;
    if (verdict == Verdict::Verified) verdict = Verdict::VerifiedWithinBounds;
    anyPossible |= verdict == Verdict::Incomplete && hasOf(report.warnings, property);
  }
  if (!report.findings.empty()) {
    report.verdict = Verdict::Violated;
  } else if (report.verdict == Verdict::Violated || (anyPossible && isGreen(report.verdict))) {
    report.verdict = Verdict::Incomplete;
    report.problem = "possible findings, if what is assumed can be";
    report.problemKind = ProblemKind::Program;
  } else if (report.verdict == Verdict::Verified) {
    report.verdict = Verdict::VerifiedWithinBounds;
  }
}

void applyHarness(const GeneratedHarness& harness, const HarnessJudge& judge, Report& report) {
  report.harness = harness.title;
  leaveOutOwn(report);
  for (const std::string& text : harness.assumed) report.assumptions.push_back({text, {}});
  if (report.verdict == Verdict::Unsupported || report.verdict == Verdict::Error) return;
  const auto leaveOut = [&](std::vector<Finding>& findings) {
    return std::erase_if(findings, [&](const Finding& finding) {
             return isOfNoCall(harness, finding) || looksBack(report, finding);
           }) != 0;
  };
  if (leaveOut(report.warnings) | leaveOut(report.findings))
    report.assumptions.push_back({"what other functions set up is there", {}});
  std::vector<Finding> certain;
  for (Finding& finding : report.findings) {
    if (judge(finding)) {
      certain.push_back(std::move(finding));
      continue;
    }
    finding.possible = true;
    finding.plans.clear();
    report.warnings.push_back(std::move(finding));
  }
  demoteConsequences(certain, report.warnings);
  report.findings = std::move(certain);
  judgeByFindings(report);
  // Whether a lock keeps threads apart, the orders of its accesses decide.
  if (!harness.sections.between.empty() && hasWeakBound(report)) {
    notReached("executions in which accesses change places", report);
    return;
  }
  // Complete, and yet the calls never ran: the objects could not be set up.
  if (!report.reach) return;
  if (harness.isParallel && report.reach->threads.size() < 2) {
    notReached("any thread beside the first", report);
    return;
  }
  for (const Unreached& what : report.reach->unreached) {
    const bool isOfThreads = what.kind == Unreached::Kind::Threads;
    // Beside a failure on all ways, what comes behind it is not decided for want of threads.
    if (!isEssential(what.kind) || (!isGreen(report.verdict) && !isOfThreads)) continue;
    notReached(what.text, report);
    return;
  }
}

}  // namespace heddle
