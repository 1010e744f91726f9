#include "analysis/repair/repair.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "analysis/repair/callers.h"
#include "analysis/repair/order_repairs.h"
#include "analysis/repair/patch_order.h"
#include "analysis/repair/text_edits.h"
#include "analysis/repair/verify.h"

namespace heddle {
namespace {

// A lock that is there already is better than one more, unless it takes many more places.
constexpr size_t kNewLockCost = 3;
// Where all accesses to what is guarded have a lock, nobody wants a second one.
constexpr size_t kSecondLockCost = 15;

constexpr size_t kBehindGuard = 100;  // more than any patch changes lines

constexpr uint64_t kManyStates = 50'000;  // fewer are searched after the first question anyway

using Texts = std::map<std::string, std::string>;

std::vector<TextEditAt> editsOf(const Snapshot& snapshot, const Texts& texts) {
  std::vector<TextEditAt> edits;
  for (const auto& [path, text] : texts)
    for (TextEditAt& edit : editsBetween(path, textIn(snapshot, path), text))
      edits.push_back(std::move(edit));
  return edits;
}

void eraseBlankLines(std::string& text) {
  for (size_t at = text.find("\n\n"); at != std::string::npos; at = text.find("\n\n", at)) text.erase(at, 1);
}

/// The texts without blank lines and with one name for the new lock, which the title names last: whatever it
/// is called and wherever it is set apart, it is one patch.
Texts withoutLockName(const Realization& written) {
  Texts texts = written.texts;
  for (auto& [path, text] : texts) eraseBlankLines(text);
  const size_t end = written.title.rfind('\''), begin = end == 0 ? end : written.title.rfind('\'', end - 1);
  if (!written.newLock || begin == std::string::npos || end == std::string::npos) return texts;
  const std::string name = written.title.substr(begin + 1, end - begin - 1);
  for (auto& [path, text] : texts)
    for (size_t at = text.find(name); !name.empty() && at != std::string::npos; at = text.find(name, at))
      text.replace(at, name.size(), "");
  return texts;
}

/// ", and 3 of 4 generated uses"; empty: there are none.
std::string usesText(const CallerCheck& check) {
  if (check.made == 0) return "";
  const std::string of = check.uses == check.made ? "" : " of " + std::to_string(check.made);
  return ", and " + std::to_string(check.uses) + of +
         (check.made == 1 ? " generated use" : " generated uses");
}

std::string withoutIndentation(std::string_view text) {
  std::string out;
  for (const std::string_view line : linesOf(text)) {
    const size_t begin = line.find_first_not_of(" \t");
    if (begin != std::string_view::npos) out += line.substr(begin);
  }
  return out;
}

/// Lines that are added, taken away or changed in more than their indentation.
size_t changedLines(const Snapshot& snapshot, const Texts& texts) {
  size_t lines = 0;
  for (const auto& [path, text] : texts)
    for (const LineHunk& hunk :
         lineDifference(withoutIndentation(textIn(snapshot, path)), withoutIndentation(text)))
      lines += std::max(hunk.oldEnd - hunk.oldBegin, hunk.newEnd - hunk.newBegin);
  return lines;
}

/// A changed program that has not been looked at yet.
struct Proposal {
  std::string title, kind;
  Texts texts;
  std::vector<std::string> objects;
  size_t extraCost = 0;
  uint32_t fixedOrderings = 0;
  bool isLastResort = false;
  bool addsLock = false;
  bool waitsForOthers = false;  // a function that others may call as well waits for what one thread sends
};

class Repairer {
 public:
  Repairer(const Snapshot& snapshot, const Options& options, const Report& report, const Budget& budget,
           const RepairLimits& limits, const RepairSource& source, const CallersCheck& check)
      : snapshot_(snapshot),
        options_(options),
        report_(report),
        budget_(budget),
        limits_(limits),
        source_(source),
        check_(check) {
    options_.summarizeAccesses = true;
    options_.diagnose = options_.smallWitnesses = false;  // a patched program is only checked
    if (report.stats.openLeaves == 0 && report.stats.states >= kManyStates)
      options_.expectedStates = report.stats.states;
  }

  void repair(const Finding& finding) {
    constexpr size_t kWrittenAtOnce = 32;  // one compilation for all of them
    size_t tries = 0, offers = 0;
    const std::vector<Candidate> candidates = source_.candidates(report_, finding);
    std::vector<Realization> texts;  // of the first candidates
    for (size_t i = 0; i < candidates.size(); ++i) {
      const Candidate& candidate = candidates[i];
      if (tries >= limits_.triesPerFinding || (offers >= limits_.offersPerFinding && bestIsPermissive()))
        break;
      if (budget_.check() != StopReason::None) {
        result_.outOfBudget = true;
        break;
      }
      // Where one announcement is enough, more only wake who has to wait on.
      if (candidate.plan.kind == RepairPlan::Kind::AnnounceChange && candidate.plan.orders.size() > 1 &&
          isCuredBy(finding.id, candidate.plan.kind))
        continue;
      if (i >= texts.size()) {
        const auto from = candidates.begin() + static_cast<ptrdiff_t>(i);
        const size_t count = std::min(kWrittenAtOnce, candidates.size() - i);
        for (Realization& text : source_.write(snapshot_, {from, from + static_cast<ptrdiff_t>(count)}))
          texts.push_back(std::move(text));
      }
      const Realization& written = texts[i];
      if (!written.problem.empty()) {
        if (!candidate.isTriedOut()) result_.rejected.push_back({finding.id, "", written.problem});
        continue;
      }
      if (!seen_.insert(withoutLockName(written)).second) continue;
      ++tries;
      // One atomic operation stands beside what locks and orders can do, and takes no place from them.
      const bool isCounted = candidate.plan.kind != RepairPlan::Kind::AtomicUpdate;
      const bool isOffered =
          offer(finding, {written.title, toString(candidate.plan.kind), written.texts, candidate.plan.objects,
                          costOfLock(written, candidate.plan) + candidate.penalty,
                          candidate.plan.fixedOrderings, candidate.isLastResort(), written.newLock,
                          candidate.plan.kind == RepairPlan::Kind::SignalWait && candidate.penalty > 0});
      offers += isOffered && isCounted ? 1 : 0;
    }
    putAtomicBehindGuard(finding.id);
    rank(result_.patches);
  }

  /// Verifies, and takes up what passes. True: it is right for every caller, as far as was looked.
  bool offer(const Finding& finding, const Proposal& proposal) {
    const auto reject = [&](const std::string& reason) {
      result_.rejected.push_back({finding.id, proposal.title, reason});
      return false;
    };
    Verification verified = verifyRepair(snapshot_, report_, finding.id, proposal.texts, options_, share());
    if (verified.status == RepairStatus::Rejected) return reject(verified.reason);
    CallerCheck callers;
    if (check_)
      callers = check_.patch(snapshot_, patched(snapshot_, proposal.texts), finding,
                             budget_.part(&Tuning::otherUses));
    if (!callers.problem.empty()) return reject(callers.problem);
    if (check_ && proposal.waitsForOthers && callers.onlyThisDriver.empty()) {
      callers.isOutside = true;
      callers.onlyThisDriver = "other callers would wait for what nobody sends";
    }
    Patch patch;
    patch.repair.title = proposal.title + " (" + verified.checked + usesText(callers) + verified.caveat + ")";
    patch.repair.status = verified.status;
    if (!callers.onlyThisDriver.empty())
      markForThisDriver(patch, proposal.title, verified.checked + verified.caveat, callers.onlyThisDriver);
    patch.repair.kind = proposal.kind;
    patch.repair.fixedOrderings = proposal.fixedOrderings;
    patch.repair.edits = editsOf(snapshot_, proposal.texts);
    patch.cost = changedLines(snapshot_, proposal.texts) + proposal.extraCost;
    patch.texts = proposal.texts;
    patch.objects = proposal.objects;
    patch.isLastResort = proposal.isLastResort;
    patch.addsLock = proposal.addsLock;
    patch.holdsCallback = !verified.heldCallback.empty();
    patch.cures = std::move(verified.cured);
    patch.after = std::move(verified.report);
    patch.foundAfter = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
    if (callers.isOutside) outside_.insert(patch.texts);
    const bool isOutside = callers.isOutside;
    offered_.insert_or_assign(
        patch.texts, Offered{proposal.title, verified.checked + verified.caveat, std::move(callers)});
    result_.patches.push_back(std::move(patch));
    return !isOutside;
  }

  /// What fails in a use before and with a patch may be the use's own fault, and says nothing of the patch
  /// alone; where a smaller patch mends it, this one leaves the bug there.
  void compareInUses() {
    if (!check_.fails) return;
    rank(result_.patches);
    std::vector<const MendedUse*> mended;  // by patches before
    for (Patch& patch : result_.patches) {
      if (patch.repair.status != RepairStatus::Verified || !patch.after.findings.empty()) continue;
      const Offered& offered = offered_.at(patch.texts);
      const Snapshot after = patched(snapshot_, patch.texts);
      for (const MendedUse* use : mended) {
        if (budget_.check() != StopReason::None) return;
        if (!check_.fails(after, *use, budget_.part(&Tuning::otherUses))) continue;
        markForThisDriver(patch, offered.title, offered.checked, use->title + " keeps the bug");
        outside_.insert(patch.texts);
        break;
      }
      if (outside_.contains(patch.texts)) continue;
      for (const MendedUse& use : offered.callers.mended) mended.push_back(&use);
    }
  }

  /// What leaves the code that has the bug as it is goes, where something better cures the same; and what
  /// forces an order of threads and leaves other findings, where something cures all of them.
  void dropWhatIsOutside() {
    const bool isAllCured = std::any_of(
        result_.patches.begin(), result_.patches.end(),
        [&](const Patch& patch) { return patch.after.findings.empty() && !outside_.contains(patch.texts); });
    const auto isPartialOrder = [&](const Patch& patch) {
      using Kind = RepairPlan::Kind;
      const std::string& kind = patch.repair.kind;
      return isAllCured && !patch.after.findings.empty() &&
             (kind == toString(Kind::MoveJoin) || kind == toString(Kind::MoveBeforeCreate) ||
              kind == toString(Kind::SignalWait));
    };
    const auto isInside = [&](const Patch& patch) { return !outside_.contains(patch.texts); };
    const auto isCuredInside = [&](const std::string& id) {
      return std::any_of(result_.patches.begin(), result_.patches.end(),
                         [&](const Patch& other) { return isInside(other) && cures(other, id); });
    };
    const auto isDropped = [&](const Patch& patch) {
      return !isInside(patch) && std::all_of(patch.cures.begin(), patch.cures.end(), isCuredInside);
    };
    std::vector<Patch> kept;
    for (const Patch& patch : result_.patches) {
      std::string reason;
      if (isDropped(patch)) reason = "it leaves the code that has the bug as it is";
      if (isPartialOrder(patch)) reason = "it forces an order of threads and leaves other findings";
      if (reason.empty())
        kept.push_back(patch);
      else
        result_.rejected.push_back({patch.cures.front(), patch.repair.title, reason});
    }
    result_.patches = std::move(kept);
  }

  /// What a reviewer would put aside for another patch that cures the same, which is right for every caller
  /// and verified in full.
  void dropWhatIsWorse() {
    rank(result_.patches);
    std::vector<Patch> kept;
    for (const Patch& patch : result_.patches) {
      std::string reason;
      for (const Patch& better : kept)
        if (reason.empty()) reason = whyWorse(patch, better);
      if (reason.empty())
        kept.push_back(patch);
      else
        result_.rejected.push_back({patch.cures.front(), patch.repair.title, reason});
    }
    result_.patches = std::move(kept);
  }

  /// By something better than a last resort.
  bool isCured(const std::string& id) const {
    return std::any_of(result_.patches.begin(), result_.patches.end(), [&](const Patch& patch) {
      return !patch.isLastResort && !isForThisDriver(patch) && cures(patch, id);
    });
  }

  RepairResult& result() { return result_; }

 private:
  /// Where the data is used under a lock of any kind as soon as one statement moves, making it atomic hides
  /// the race and keeps what was decided too early.
  void putAtomicBehindGuard(const std::string& id) {
    if (!isCuredBy(id, RepairPlan::Kind::MoveIntoSection) && !isCuredBy(id, RepairPlan::Kind::UseBeforeCall))
      return;
    for (Patch& patch : result_.patches)
      if (patch.repair.kind == toString(RepairPlan::Kind::AtomicAccess) && cures(patch, id) &&
          patch.cost < kBehindGuard)
        patch.cost += kBehindGuard;
  }

  size_t costOfLock(const Realization& written, const RepairPlan& plan) const {
    if (!written.newLock) return 0;
    std::set<std::string> guarded;  // the data
    for (const std::vector<SourceAccess>& region : plan.regions)
      for (const SourceAccess& access : region)
        for (const SharedAccess& known : report_.accesses)
          if (known.concurrent && known.access.place == access.place) guarded.insert(known.data);
    const bool hasLock =
        std::none_of(report_.accesses.begin(), report_.accesses.end(), [&](const SharedAccess& known) {
          return known.concurrent && known.held.empty() && guarded.contains(known.data);
        });
    return hasLock && !guarded.empty() ? kSecondLockCost : kNewLockCost;
  }

  bool isCuredBy(const std::string& id, RepairPlan::Kind kind) const {
    return std::any_of(result_.patches.begin(), result_.patches.end(), [&](const Patch& patch) {
      return patch.repair.kind == toString(kind) && patch.repair.status == RepairStatus::Verified &&
             !isForThisDriver(patch) && cures(patch, id);
    });
  }

  /// What a patch was when it was offered.
  struct Offered {
    std::string title, checked;
    CallerCheck callers;
  };

  /// Nothing of it is verified for who calls the same code in another way.
  static void markForThisDriver(Patch& patch, const std::string& title, std::string checked,
                                const std::string& why) {
    constexpr std::string_view kVerified = "verified: ";
    if (checked.starts_with(kVerified)) checked.erase(0, kVerified.size());
    patch.repair.title = title + " " + std::string(kOnlyThisDriver) + checked + "; " + why + ")";
    patch.repair.status = RepairStatus::VerifiedWithinBudget;
  }

  /// An order of threads that must always be kept is the last resort: what keeps stretches of code apart may
  /// be among the candidates that are left.
  bool bestIsPermissive() {
    rank(result_.patches);
    return !result_.patches.empty() && result_.patches.front().repair.fixedOrderings == 0;
  }

  /// Not all of the time for one candidate, as long as others wait.
  Budget share() const {
    const bool isLimited = budget_.deadline() || budget_.stepLimit() != Budget::kUnlimitedSteps;
    return isLimited ? budget_.part(&Tuning::candidate) : budget_;
  }

  const Snapshot& snapshot_;
  Options options_;
  const Report& report_;
  const Budget& budget_;
  const RepairLimits& limits_;
  const RepairSource& source_;
  const CallersCheck& check_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::set<Texts> seen_;
  std::map<Texts, Offered> offered_;
  std::set<Texts> outside_;  // of patches that leave the code that has the bug as it is
  RepairResult result_;
};

/// Repairs what a patch left, in the patched text, and so on; empty when that does not cure more.
Proposal combined(const Snapshot& snapshot, const Options& options, const Patch& first, const Budget& budget,
                  const RepairSource& source, const CallersCheck& check) {
  const auto bare = [](const std::string& title) { return title.substr(0, title.rfind(" (")); };
  Proposal all{bare(first.repair.title),    first.repair.kind,  first.texts,    first.objects, kNewLockCost,
               first.repair.fixedOrderings, first.isLastResort, first.addsLock, false};
  Report report = first.after;
  Options diagnosing = options;
  diagnosing.diagnose = diagnosing.summarizeAccesses = true;
  bool more = false;
  for (uint64_t round = 0; round < budget.tuning().repairsInARow && !report.findings.empty(); ++round) {
    const Snapshot changed = patched(snapshot, all.texts);
    // Plans for what is left need a diagnosis; a patched program is otherwise only checked.
    if (const Report why = analyze(changed, diagnosing, budget); !why.findings.empty()) report = why;
    RepairLimits limits;
    limits.offersPerFinding = 1;
    Repairer next(changed, options, report, budget, limits, source, check);
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
    all.addsLock |= found.addsLock;
    report = found.after;
    more = true;
  }
  if (!more) all.texts.clear();
  return all;
}

}  // namespace

RepairResult repairForCallers(const Snapshot& snapshot, const Options& options, const Report& report,
                              const std::string& only, const Budget& budget, const RepairLimits& limits,
                              const RepairSource& source, const CallersCheck& check) {
  Repairer repairer(snapshot, options, report, budget, limits, source, check);
  // Before locks and orders of threads: an order that is stronger changes nothing else.
  const auto target = std::find_if(report.findings.begin(), report.findings.end(),
                                   [&](const Finding& found) { return only.empty() || found.id == only; });
  if (target != report.findings.end())
    for (const OrderRepair& orders :
         orderRepairs(snapshot, options, report, budget.part(&Tuning::memoryOrders)))
      repairer.offer(*target, {orders.title, toString(orders.kind), orders.texts, {}, orders.extraCost});
  for (const Finding& finding : report.findings)
    if (only.empty() ? !repairer.isCured(finding.id) : finding.id == only) repairer.repair(finding);

  const std::vector<Patch>& patches = repairer.result().patches;
  const bool curesAll = std::any_of(patches.begin(), patches.end(), [](const Patch& patch) {
    return !patch.isLastResort && !isForThisDriver(patch) && patch.after.findings.empty();
  });
  if (!curesAll && !patches.empty() && budget.check() == StopReason::None) {
    const Patch first = patches.front();
    const auto cured = std::find_if(report.findings.begin(), report.findings.end(),
                                    [&](const Finding& finding) { return cures(first, finding.id); });
    const Proposal both = combined(snapshot, options, first, budget, source, check);
    if (!both.texts.empty() && cured != report.findings.end()) repairer.offer(*cured, both);
  }
  repairer.compareInUses();
  repairer.dropWhatIsOutside();
  repairer.dropWhatIsWorse();
  rank(repairer.result().patches);
  std::optional<double>& first = repairer.result().firstVerifiedAfter;
  for (const Patch& patch : patches)
    if (patch.repair.status == RepairStatus::Verified)
      first = std::min(first.value_or(patch.foundAfter), patch.foundAfter);
  for (const Patch& patch : patches)
    for (const auto& [path, text] : patch.texts)
      repairer.result().before.try_emplace(path, textIn(snapshot, path));
  return std::move(repairer.result());
}

RepairResult repairFindings(const Snapshot& snapshot, const Options& options, const Report& report,
                            const std::string& only, const Budget& budget, const RepairLimits& limits,
                            const RepairSource& source) {
  return repairForCallers(snapshot, options, report, only, budget, limits, source, {});
}

}  // namespace heddle
