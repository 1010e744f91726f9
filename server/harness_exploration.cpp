#include "server/harness_exploration.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/support/harness_names.h"
#include "server/convert/position_map.h"
#include "server/harnessed.h"
#include "server/source/generated_harness.h"
#include "server/source/harness.h"
#include "server/source/moved_places.h"

namespace heddle {
namespace {

/// What fails where the calls of a harness are made one after another, explored when it is first asked for.
class CallsInTurn {
 public:
  CallsInTurn(const Engine& engine, const Snapshot& own, const Harnessed& made, const MovedPlaces& places,
              const Budget& budget)
      : engine_(engine),
        snapshot_(made.snapshot),
        options_(made.options),
        harness_(made.harness),
        places_(places),
        budget_(budget) {
    snapshot_.text = own.text + made.harness.inTurn;
    options_.harness.clear();
    options_.diagnose = options_.summarizeAccesses = options_.smallWitnesses = false;
  }

  /// Whether the calls in turn fail like that, too: then the failure has nothing to do with threads, and the
  /// calls may be ones that nobody makes behind each other. `finding`: its places are moved.
  bool failLike(const Finding& finding) {
    if (!mayFailInTurn(harness_, finding)) return false;
    if (!report_) {
      report_ = engine_.analyze(snapshot_, options_, budget_.part(&Tuning::oneUse), Observer{});
      places_.move(*report_);
    }
    return std::any_of(report_->findings.begin(), report_->findings.end(),
                       [&](const Finding& inTurn) { return failsInTurn(finding, inTurn); });
  }

 private:
  const Engine& engine_;
  Snapshot snapshot_;
  Options options_;
  const GeneratedHarness& harness_;
  const MovedPlaces& places_;
  const Budget& budget_;
  std::optional<Report> report_;
};

/// Some execution came to one of the calls, behind what sets the objects up.
bool comesToCalls(const GeneratedHarness& harness, const Report& report) {
  if (!report.reach) return false;
  const std::vector<Unreached>& unreached = report.reach->unreached;
  return std::any_of(harness.functions.begin(), harness.functions.end(), [&](const std::string& call) {
    return std::none_of(unreached.begin(), unreached.end(), [&](const Unreached& what) {
      return what.kind == Unreached::Kind::Function && what.function == call;
    });
  });
}

/// What never came to the calls says nothing of them.
void judgeReach(const GeneratedHarness& harness, Report& report) {
  const bool isGreen = report.verdict == Verdict::Verified || report.verdict == Verdict::VerifiedWithinBounds;
  if (!isGreen || !report.reach || comesToCalls(harness, report)) return;
  report.verdict = Verdict::Incomplete;
  report.problem = "no execution comes to '" + harness.functions.front() + "'";
  report.problemKind = ProblemKind::Program;
  for (auto& [property, verdict] : report.properties) verdict = Verdict::Incomplete;
}

Report explore(const Harnessed& made, const Engine& engine, const Snapshot& snapshot, const Options& options,
               const Budget& budget, const Observer& observer) {
  const PositionMap map(snapshot.text);
  const MovedPlaces places = made.places(snapshot, map);
  CallsInTurn inTurn(engine, snapshot, made, places, budget);
  const HarnessJudge judge = [&](Finding& finding) {
    if (!isCertain(made.harness, finding)) return false;
    if (!inTurn.failLike(finding)) return true;
    finding.assumes.emplace_back("the calls may be made one after another like that");
    return false;
  };
  Observer inner = observer;
  // What is only possible comes with the report.
  inner.finding = [&](const Finding& finding) {
    Finding shown = finding;
    places.move(shown);
    if (judge(shown)) observer.finding(shown);
  };
  Report report = engine.analyze(made.snapshot, made.options, budget, inner);
  places.move(report);
  report.entry = options.entry;
  applyHarness(made.harness, judge, report);
  judgeReach(made.harness, report);
  return report;
}

/// The calls ended at a pointer in a global variable that only other files set, and show no more.
bool endsAtGlobals(const GeneratedHarness& harness, const Report& report) {
  return report.findings.empty() &&
         std::any_of(report.warnings.begin(), report.warnings.end(),
                     [&](const Finding& finding) { return restsOnGlobals(harness, finding); });
}

bool hasShown(const Report& report) {
  return !report.findings.empty() || !report.warnings.empty();
}

/// Some execution came to the end of all calls.
bool comesToEnd(const Report& report) {
  if (!report.reach) return false;
  const std::vector<Unreached>& unreached = report.reach->unreached;
  return std::none_of(unreached.begin(), unreached.end(), [](const Unreached& what) {
    return what.kind == Unreached::Kind::End && what.function == kHarnessEntry;
  });
}

/// All calls end at null pointers that what sets the objects up has left.
bool failsAtSetUp(const Report& report) {
  if (!report.findings.empty() || report.warnings.empty() || comesToEnd(report)) return false;
  return std::all_of(report.warnings.begin(), report.warnings.end(), [&](const Finding& finding) {
    const bool isInCall =
        !finding.steps.empty() && finding.steps.back().thread != finding.steps.front().thread;
    return isInCall && finding.message.find("null pointer dereference") != std::string::npos;
  });
}

/// One call on an object that functions set up: as they leave it, and where that shows nothing, or something
/// on every way that may not be meant for such an object, in any state. Nothing: it is made on no such
/// object. `made` becomes what the report is of.
std::optional<Report> analyzeAlone(const Engine& engine, const OfferedHarnesses& offered,
                                   std::optional<Harnessed>& made, const Snapshot& snapshot,
                                   const Options& options, const Budget& budget, const Observer& observer) {
  if (!made->harness.isAlone || made->harness.functions.size() != 1) return std::nullopt;
  std::optional<Harnessed> other = offered.onMadeUp(made->harness.title);
  if (!other || other->harness.text == made->harness.text) return std::nullopt;
  Report report = explore(*made, engine, snapshot, options, budget.part(&Tuning::asSetUp), observer);
  const bool comes = comesToCalls(made->harness, report);
  // What setting up shows is as a rule that it needs more than it is given here.
  const bool fails = comes && hasShown(report);
  const bool failsAlways = fails && report.findings.empty() && !comesToEnd(report);
  if ((fails && !failsAlways) || budget.check() != StopReason::None) return report;
  // What its callers keep to, what sets it up may well see to.
  other->harness.isInner |= comes && !failsAlways;
  Report anyState = explore(*other, engine, snapshot, options, budget, observer);
  const bool isBetter = hasShown(anyState) || (!failsAlways && report.verdict == Verdict::Incomplete &&
                                               anyState.verdict != Verdict::Incomplete);
  if (comes && !isBetter) return report;
  made = std::move(other);
  return anyState;
}

/// Of the sides of conditions, executions that are all there are took no more than the share.
bool reachesLittle(const Report& report, double share) {
  if (!report.reach || report.verdict == Verdict::Incomplete) return false;
  const ReachCount& sides = report.reach->branchSides;
  return static_cast<double>(sides.reached) <= share * static_cast<double>(sides.all);
}

}  // namespace

Report analyzeHarnessed(const Engine& engine, RecentOffers& recent, const Snapshot& snapshot,
                        const Options& options, const Budget& budget, const Observer& observer) {
  const OfferedHarnesses offered(snapshot, options, budget, recent);
  std::optional<Harnessed> made = offered.asked();
  if (!made) return engine.analyze(snapshot, options, budget, observer);
  std::optional<Report> report = analyzeAlone(engine, offered, made, snapshot, options, budget, observer);
  if (!report && !made->harness.elsewhere.empty()) {
    // What functions of other files need to set an object up may be more than can be executed: then objects
    // of any content tell more.
    const Budget first = budget.part(&Tuning::setUpElsewhere);
    report = explore(*made, engine, snapshot, options, first, Observer{});
    if (!comesToCalls(made->harness, *report)) {
      std::optional<Harnessed> other = offered.onMadeUp(made->harness.title);
      if (!other) return std::move(*report);
      made = std::move(other);
      report.reset();
    } else if (first.check() != StopReason::None) {
      report.reset();
    }
  }
  if (!report) report = explore(*made, engine, snapshot, options, budget, observer);
  // What sets the objects up ends, or cannot be executed; or the calls return at once, or fail on every way
  // for what was not set up.
  const bool comes = comesToCalls(made->harness, *report);
  const bool failsAlways = comes && failsAtSetUp(*report);
  const bool showsLittle =
      !hasShown(*report) && (!comes || reachesLittle(*report, budget.tuning().littleReach));
  if (made->harness.isParallel && (failsAlways || showsLittle) && budget.check() == StopReason::None) {
    std::optional<Harnessed> other = offered.onMadeUp(made->harness.title);
    if (other && other->harness.text != made->harness.text) {
      Report anyState = explore(*other, engine, snapshot, options, budget, observer);
      const bool isBetter = !comes || (failsAlways ? comesToEnd(anyState) : hasShown(anyState));
      if (comesToCalls(other->harness, anyState) && isBetter) {
        made = std::move(other);
        report = std::move(anyState);
      }
    }
  }
  if (!comesToCalls(made->harness, *report) && budget.check() == StopReason::None) {
    // What sets the file up as a whole needs what only the program has.
    if (std::optional<Harnessed> other = offered.onNothingSetUp(made->harness.title);
        other && other->harness.text != made->harness.text) {
      Report notSetUp = explore(*other, engine, snapshot, options, budget, observer);
      if (comesToCalls(other->harness, notSetUp)) return notSetUp;
    }
  }
  if (!endsAtGlobals(made->harness, *report) || budget.check() != StopReason::None) return std::move(*report);
  const std::optional<Harnessed> other = offered.onGlobalsMadeUp(made->harness.title);
  return other ? explore(*other, engine, snapshot, options, budget, observer) : std::move(*report);
}

}  // namespace heddle
