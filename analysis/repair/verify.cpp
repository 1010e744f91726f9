#include "analysis/repair/verify.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "analysis/model/schedule.h"
#include "analysis/pipeline/sequential_run.h"
#include "analysis/repair/creation_check.h"
#include "analysis/repair/lock_balance.h"
#include "analysis/repair/realize.h"
#include "analysis/repair/realize_units.h"
#include "analysis/repair/syntax_tree.h"
#include "analysis/repair/text_edits.h"

namespace heddle {
namespace {

/// What a finding claims, apart from where: an edit moves its place and may change its line.
using Claim = std::tuple<Property, std::string, std::string>;
Claim claimOf(const Finding& finding) {
  return {finding.kind, finding.place.function, finding.message};
}

bool exploredInFull(const Report& report) {
  for (const auto& [name, verdict] : report.properties)
    if (verdict != Verdict::Verified && verdict != Verdict::VerifiedWithinBounds &&
        verdict != Verdict::Violated)
      return false;
  return report.problem.empty();
}

std::string shortSeconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, seconds < 9.95 ? "%.1f s" : "%.0f s", seconds);
  return text;
}

std::string firstNewWarningIn(const Snapshot& before, const Snapshot& after) {
  const auto old = warningsOf(before), fresh = warningsOf(after);
  if (!old || !fresh) return "the compiler crashed on it";
  std::multiset<std::string> known;
  for (const CompileMessage& message : *old) known.insert(message.text);
  for (const CompileMessage& message : *fresh) {
    const auto found = known.find(message.text);
    if (found == known.end())
      return (message.isError ? "it does not compile: " : "a new warning: ") + message.text;
    known.erase(found);
  }
  return {};
}

/// In any file of the program.
std::string firstNewWarning(const Snapshot& before, const Snapshot& after) {
  const std::vector<Snapshot> old = unitsOf(before), fresh = unitsOf(after);
  for (size_t i = 0; i < old.size() && i < fresh.size(); ++i)
    if (std::string warning = firstNewWarningIn(old[i], fresh[i]); !warning.empty()) return warning;
  return {};
}

/// Runs with the inputs that findings name, and with none: it must still print the same.
std::string changedBehaviour(const Snapshot& before, const Snapshot& after, const Report& report,
                             const Options& options, const Budget& budget) {
  std::vector<std::map<std::string, std::vector<int64_t>>> inputs = {{}};
  for (const Finding& finding : report.findings) {
    std::string error;
    const auto schedule = Schedule::parse(finding.schedule, error);
    if (schedule && std::find(inputs.begin(), inputs.end(), schedule->inputs) == inputs.end())
      inputs.push_back(schedule->inputs);
  }
  bool passes = false;
  std::string unrun;  // why no run could be made
  for (const auto& given : inputs) {
    const SequentialRun now = runSequentially(after, options, given, std::nullopt, budget);
    passes = passes || (now.ran && now.passed);
    if (!now.ran) unrun = now.problem;
    const SequentialRun old = runSequentially(before, options, given, std::nullopt, budget);
    if (!old.ran || !old.passed) continue;
    if (!now.ran) return "one thread after the other: " + now.problem;
    if (!now.passed) return "one thread after the other it fails: " + now.failure;
    if (now.output != old.output) return "one thread after the other it prints something else";
  }
  // Some schedule must end well; which one, the program decides.
  for (uint64_t seed = 1; seed <= budget.tuning().schedulesOfPatch && !passes; ++seed)
    for (const auto& given : inputs) {
      const SequentialRun run = runSequentially(after, options, given, seed, budget);
      passes = passes || (run.ran && run.passed);
    }
  if (!passes && budget.check() != StopReason::None)
    return "no time was left to look for an execution that ends well";
  if (!passes && !unrun.empty()) return "it could not be run: " + unrun;
  return passes ? "" : "no execution that ends well was found";
}

/// Lines of the patched texts that call what no execution has called, counted from 1; `removed`: of the texts
/// before, that such calls were taken from.
struct NeverRun {
  std::set<uint32_t> added, removed;
};

NeverRun changedAndNeverRun(const Snapshot& snapshot, const std::map<std::string, std::string>& texts,
                            const std::optional<Reach>& before, const std::optional<Reach>& after) {
  NeverRun result;
  const auto take = [](const std::optional<Reach>& reach, const std::string& path, size_t begin, size_t end,
                       std::set<uint32_t>& lines) {
    if (!reach) return;
    for (const SourcePlace& call : reach->callsNotMade)
      if (call.file == path && call.line > begin && call.line <= end) lines.insert(call.line);
  };
  for (const auto& [path, text] : texts)
    for (const LineHunk& hunk : lineDifference(textIn(snapshot, path), text)) {
      take(before, path, hunk.oldBegin, hunk.oldEnd, result.removed);
      take(after, path, hunk.newBegin, hunk.newEnd, result.added);
    }
  return result;
}

/// "; line 12 never ran", "; lines 12 and 14 never ran".
std::string neverRunText(const std::set<uint32_t>& lines) {
  std::string text;
  size_t left = lines.size();
  for (const uint32_t line : lines) {
    text += std::to_string(line);
    if (--left > 0) text += left == 1 ? " and " : ", ";
  }
  return text.empty() ? "" : (lines.size() == 1 ? "; line " : "; lines ") + text + " never ran";
}

}  // namespace

Verification verifyRepair(const Snapshot& snapshot, const Report& before, const std::string& target,
                          const std::map<std::string, std::string>& texts, const Options& options,
                          const Budget& budget) {
  Verification result;
  const auto reject = [&](const std::string& reason) {
    result.reason = reason;
    return result;
  };
  const Snapshot changed = patched(snapshot, texts);
  if (const std::string warning = firstNewWarning(snapshot, changed); !warning.empty())
    return reject(warning);

  // Before the exploration, which takes all the time there is.
  const std::string changedBy =
      changedBehaviour(snapshot, changed, before, options, budget.part(&Tuning::behaviour));
  result.report = analyze(changed, options, budget);
  const Report& after = result.report;
  if (after.verdict == Verdict::Error || after.verdict == Verdict::Unsupported)
    return reject("it cannot be explored: " + after.problem);
  if (after.verdict == Verdict::Cancelled) return reject("cancelled");

  std::multiset<Claim> known;
  std::multiset<Claim> left;
  std::optional<Claim> targetClaim;
  for (const Finding& finding : before.findings) {
    known.insert(claimOf(finding));
    if (finding.id == target) targetClaim = claimOf(finding);
  }
  for (const Finding& finding : after.findings) {
    const Claim claim = claimOf(finding);
    if (targetClaim && claim == *targetClaim && left.count(claim) + 1 >= known.count(claim))
      return reject("the finding is still there: " + finding.message);
    if (left.count(claim) >= known.count(claim))
      return reject((finding.kind == Property::Deadlock ? "it can deadlock: " : "a new finding: ") +
                    finding.message);
    left.insert(claim);
  }
  // What made the accesses atomic one by one has hidden the race, not cured it.
  const auto isKnownWarning = [&](const Finding& warning) {
    return std::any_of(before.warnings.begin(), before.warnings.end(),
                       [&](const Finding& other) { return claimOf(other) == claimOf(warning); });
  };
  for (const Finding& warning : after.warnings)
    if (!isKnownWarning(warning)) return reject(warning.message);
  // A glance at it shows nothing of a bug that took so many executions to look for.
  constexpr uint64_t kLeastPart = 10;  // of the executions of the program as it was
  if (after.stats.executions == 0 ||
      (!exploredInFull(after) && after.stats.executions < before.stats.executions / kLeastPart))
    return reject("the budget ended before anything was explored");
  if (!changedBy.empty()) return reject(changedBy);
  const LockChange locks = lockChange(snapshot, changed);
  if (!locks.unbalanced.empty()) return reject(locks.unbalanced);
  const CreationCheck creations = checkFailingCreations(snapshot, before, changed, after, options,
                                                        budget.part(&Tuning::failingCreations));
  if (!creations.problem.empty()) return reject(creations.problem);

  for (const Finding& finding : before.findings) {
    const auto remains = left.find(claimOf(finding));
    if (remains == left.end())
      result.cured.push_back(finding.id);
    else
      left.erase(remains);
  }
  const bool full = exploredInFull(after);
  // What is taken away where nothing ever came was not looked at; what is added there is named.
  const NeverRun neverRun = changedAndNeverRun(snapshot, texts, before.reach, after.reach);
  // Whatever others give it to call may want the same lock.
  result.heldCallback = locks.heldCallback;
  const bool isVerified = !creations.isUndecided && neverRun.removed.empty() && locks.heldCallback.empty();
  result.status = full && isVerified ? RepairStatus::Verified : RepairStatus::VerifiedWithinBudget;
  const uint64_t paths = after.stats.paths;
  const std::string verified = isVerified ? "verified: " : "";
  if (full && after.findings.empty())
    result.checked = verified + (paths == 1 ? "the only path" : "all " + std::to_string(paths) + " paths");
  else if (full)
    result.checked = verified + "gone on all " + std::to_string(paths) + " paths, " +
                     std::to_string(after.findings.size()) + " other " +
                     (after.findings.size() == 1 ? "finding remains" : "findings remain");
  else
    result.checked = "no bug found in " + shortSeconds(after.stats.wallSeconds) +
                     (after.findings.empty() ? "" : " but what was known");
  if (full && after.verdict == Verdict::VerifiedWithinBounds) result.checked += " within bounds";
  result.caveat = neverRunText(neverRun.removed.empty() ? neverRun.added : neverRun.removed);
  if (!locks.heldCallback.empty())
    result.caveat += "; '" + locks.heldCallback + "' is called with a lock held now";
  if (full && creations.isUndecided) result.caveat += "; where a thread cannot be created, it is undecided";
  return result;
}

}  // namespace heddle
