#include "analysis/repair/repair.h"

#include <algorithm>
#include <set>

#include "analysis/repair/text_edits.h"
#include "analysis/repair/verify.h"

namespace heddle {
namespace {

// A lock that is there already is better than one more, unless it takes many more places.
constexpr size_t kNewLockCost = 3;

constexpr double kShareOfUses = 0.3;       // of what is left of the budget, for other callers of one patch
constexpr double kShareOfCandidate = 0.5;  // of what is left of the budget, for exploring one changed program

using Texts = std::map<std::string, std::string>;

std::vector<TextEditAt> editsOf(const Snapshot& snapshot, const Texts& texts) {
  std::vector<TextEditAt> edits;
  for (const auto& [path, text] : texts)
    for (TextEditAt& edit : editsBetween(path, textIn(snapshot, path), text))
      edits.push_back(std::move(edit));
  return edits;
}

/// Lines that are added, taken away or changed.
size_t changedLines(const Snapshot& snapshot, const Texts& texts) {
  size_t lines = 0;
  for (const auto& [path, text] : texts)
    for (const LineHunk& hunk : lineDifference(textIn(snapshot, path), text))
      lines += std::max(hunk.oldEnd - hunk.oldBegin, hunk.newEnd - hunk.newBegin);
  return lines;
}

/// Verified in full first, then what cures more, then fewer lines changed, then what leaves the threads more
/// freedom, then the order of the candidates.
void rank(std::vector<Patch>& patches) {
  std::stable_sort(patches.begin(), patches.end(), [](const Patch& a, const Patch& b) {
    const bool fullA = a.repair.status == RepairStatus::Verified,
               fullB = b.repair.status == RepairStatus::Verified;
    if (fullA != fullB) return fullA;
    if (a.isLastResort != b.isLastResort) return b.isLastResort;
    if (a.cures.size() != b.cures.size()) return a.cures.size() > b.cures.size();
    if (a.cost != b.cost) return a.cost < b.cost;
    return a.repair.fixedOrderings < b.repair.fixedOrderings;
  });
}

/// A changed program that has not been looked at yet.
struct Proposal {
  std::string title, kind;
  Texts texts;
  std::vector<std::string> objects;
  size_t extraCost = 0;
  uint32_t fixedOrderings = 0;
  bool isLastResort = false;
};

class Repairer {
 public:
  Repairer(const Snapshot& snapshot, const Options& options, const Report& report, const Budget& budget,
           const RepairLimits& limits, const RepairSource& source)
      : snapshot_(snapshot),
        options_(options),
        report_(report),
        budget_(budget),
        limits_(limits),
        source_(source) {
    options_.summarizeAccesses = true;
    options_.diagnose = options_.smallWitnesses = false;  // a patched program is only checked
  }

  void repair(const Finding& finding) {
    size_t tries = 0, offers = 0;
    for (const Candidate& candidate : source_.candidates(report_, finding)) {
      if (tries >= limits_.triesPerFinding || (offers >= limits_.offersPerFinding && bestIsPermissive()))
        break;
      if (budget_.check() != StopReason::None) {
        result_.outOfBudget = true;
        break;
      }
      const Realization written = source_.write(snapshot_, candidate);
      if (!written.problem.empty()) {
        result_.rejected.push_back({finding.id, "", written.problem});
        continue;
      }
      if (!seen_.insert(written.texts).second) continue;
      ++tries;
      offers +=
          offer(finding.id, {written.title, toString(candidate.plan.kind), written.texts,
                             candidate.plan.objects, (written.newLock ? kNewLockCost : 0) + candidate.penalty,
                             candidate.plan.fixedOrderings, candidate.isLastResort()})
              ? 1
              : 0;
    }
    rank(result_.patches);
  }

  /// Verifies, and takes up what passes.
  bool offer(const std::string& finding, const Proposal& proposal) {
    Verification verified = verifyRepair(snapshot_, report_, finding, proposal.texts, options_, share());
    if (verified.status == RepairStatus::Rejected) {
      result_.rejected.push_back({finding, proposal.title, verified.reason});
      return false;
    }
    UseCheck uses;
    if (source_.otherUses)
      uses = source_.otherUses(snapshot_, patched(snapshot_, proposal.texts), budget_.part(kShareOfUses));
    if (!uses.problem.empty()) {
      result_.rejected.push_back({finding, proposal.title, uses.problem});
      return false;
    }
    if (uses.uses > 0)
      verified.checked +=
          ", and " + std::to_string(uses.uses) + (uses.uses == 1 ? " generated use" : " generated uses");
    Patch patch;
    patch.repair.title = proposal.title + " (" + verified.checked + ")";
    patch.repair.kind = proposal.kind;
    patch.repair.fixedOrderings = proposal.fixedOrderings;
    patch.repair.status = verified.status;
    patch.repair.edits = editsOf(snapshot_, proposal.texts);
    patch.cost = changedLines(snapshot_, proposal.texts) + proposal.extraCost;
    patch.texts = proposal.texts;
    patch.objects = proposal.objects;
    patch.isLastResort = proposal.isLastResort;
    patch.cures = std::move(verified.cured);
    patch.after = std::move(verified.report);
    result_.patches.push_back(std::move(patch));
    return true;
  }

  /// By something better than a last resort.
  bool isCured(const std::string& id) const {
    return std::any_of(result_.patches.begin(), result_.patches.end(), [&](const Patch& patch) {
      return !patch.isLastResort &&
             std::find(patch.cures.begin(), patch.cures.end(), id) != patch.cures.end();
    });
  }

  RepairResult& result() { return result_; }

 private:
  /// An order of threads that must always be kept is the last resort: what keeps stretches of code apart may
  /// be among the candidates that are left.
  bool bestIsPermissive() {
    rank(result_.patches);
    return !result_.patches.empty() && result_.patches.front().repair.fixedOrderings == 0;
  }

  /// Not all of the time for one candidate, as long as others wait.
  Budget share() const {
    const bool isLimited = budget_.deadline() || budget_.stepLimit() != Budget::kUnlimitedSteps;
    return isLimited ? budget_.part(kShareOfCandidate) : budget_;
  }

  const Snapshot& snapshot_;
  Options options_;
  const Report& report_;
  const Budget& budget_;
  const RepairLimits& limits_;
  const RepairSource& source_;
  std::set<Texts> seen_;
  RepairResult result_;
};

/// Repairs what a patch left, in the patched text, and so on; empty when that does not cure more.
Proposal combined(const Snapshot& snapshot, const Options& options, const Patch& first, const Budget& budget,
                  const RepairSource& source) {
  constexpr int kRounds = 8;
  const auto bare = [](const std::string& title) { return title.substr(0, title.rfind(" (")); };
  Proposal all{bare(first.repair.title),    first.repair.kind, first.texts, first.objects, kNewLockCost,
               first.repair.fixedOrderings, first.isLastResort};
  Report report = first.after;
  Options diagnosing = options;
  diagnosing.diagnose = diagnosing.summarizeAccesses = true;
  bool more = false;
  for (int round = 0; round < kRounds && !report.findings.empty(); ++round) {
    const Snapshot changed = patched(snapshot, all.texts);
    // Plans for what is left need a diagnosis; a patched program is otherwise only checked.
    if (const Report why = analyze(changed, diagnosing, budget); !why.findings.empty()) report = why;
    RepairLimits limits;
    limits.offersPerFinding = 1;
    Repairer next(changed, options, report, budget, limits, source);
    for (const Finding& finding : report.findings) {
      next.repair(finding);
      if (!next.result().patches.empty()) break;
    }
    if (next.result().patches.empty()) break;
    const Patch& found = next.result().patches.front();
    for (const auto& [path, text] : found.texts) all.texts[path] = text;
    if (all.kind != found.repair.kind) all.kind = "combination";
    all.title += ", " + bare(found.repair.title);
    for (const std::string& object : found.objects)
      if (std::find(all.objects.begin(), all.objects.end(), object) == all.objects.end())
        all.objects.push_back(object);
    all.fixedOrderings += found.repair.fixedOrderings;
    all.isLastResort |= found.isLastResort;
    report = found.after;
    more = true;
  }
  if (!more) all.texts.clear();
  return all;
}

}  // namespace

RepairResult repairFindings(const Snapshot& snapshot, const Options& options, const Report& report,
                            const std::string& only, const Budget& budget, const RepairLimits& limits,
                            const RepairSource& source) {
  Repairer repairer(snapshot, options, report, budget, limits, source);
  for (const Finding& finding : report.findings)
    if (only.empty() ? !repairer.isCured(finding.id) : finding.id == only) repairer.repair(finding);

  std::vector<Patch>& patches = repairer.result().patches;
  const bool curesAll = std::any_of(patches.begin(), patches.end(), [](const Patch& patch) {
    return !patch.isLastResort && patch.after.findings.empty();
  });
  if (!curesAll && !patches.empty() && budget.check() == StopReason::None) {
    const Patch first = patches.front();
    const Proposal both = combined(snapshot, options, first, budget, source);
    if (!both.texts.empty()) repairer.offer(first.cures.front(), both);
  }
  rank(patches);
  for (const Patch& patch : patches)
    for (const auto& [path, text] : patch.texts)
      repairer.result().before.try_emplace(path, textIn(snapshot, path));
  return std::move(repairer.result());
}

}  // namespace heddle
