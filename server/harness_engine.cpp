#include "server/harness_engine.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/repair/text_edits.h"
#include "server/convert/position_map.h"
#include "server/harness_exploration.h"
#include "server/harnessed.h"
#include "server/source/generated_harness.h"
#include "server/source/harness.h"
#include "server/source/harness_object.h"
#include "server/source/linked_survey.h"
#include "server/source/moved_places.h"

namespace heddle {
namespace {

ReplayResult replayHarnessed(const Engine& engine, RecentOffers& recent, const Snapshot& snapshot,
                             const Options& options, const std::string& schedule, const Budget& budget) {
  const std::optional<Harnessed> made = OfferedHarnesses(snapshot, options, budget, recent).asked();
  if (!made) return engine.replay(snapshot, options, schedule, budget);
  const PositionMap map(snapshot.text);
  const MovedPlaces places = made->places(snapshot, map);
  ReplayResult result = engine.replay(made->snapshot, made->options, schedule, budget);
  for (Step& step : result.steps) places.move(step.place);
  for (InputValue& value : result.inputs) places.move(value.place);
  for (Finding& failure : result.failures) places.move(failure);
  return result;
}

}  // namespace

/// In whose text, up to the next function, a line differs.
static std::set<std::string> changedFunctions(const Survey& survey, const std::string& before,
                                              const std::string& after) {
  std::set<std::string> changed;
  for (const LineHunk& hunk : lineDifference(before, after)) {
    const size_t first = hunk.oldBegin + 1, last = std::max(first, hunk.oldEnd);
    for (size_t i = 0; i < survey.functions.size(); ++i) {
      const size_t begin = survey.functions[i].place.line;
      const bool isLast = i + 1 == survey.functions.size();
      if (begin <= last && (isLast || survey.functions[i + 1].place.line > first))
        changed.insert(survey.functions[i].name);
    }
  }
  return changed;
}

/// The explorations of one use, each made when it is first asked for.
class ExploredUse {
 public:
  ExploredUse(std::string text, const Options& options, const Budget& budget)
      : text_(std::move(text)), options_(options), budget_(budget) {
    options_.entry = kHarnessEntry;
    options_.harness.clear();
    options_.diagnose = options_.summarizeAccesses = options_.smallWitnesses = false;
  }

  Report of(Snapshot snapshot) const {
    snapshot.text += text_;
    snapshot.environment.signals = Signals::None;
    return analyze(snapshot, options_, budget_.part(&Tuning::oneUse), {});
  }

  static bool isWhole(const Report& report) {
    return std::all_of(report.properties.begin(), report.properties.end(), [](const auto& one) {
      return one.second == Verdict::Verified || one.second == Verdict::VerifiedWithinBounds ||
             one.second == Verdict::Violated;
    });
  }

 private:
  std::string text_;
  Options options_;
  const Budget& budget_;
};

/// In whose text the finding's failure comes about: where its orderings are, else where it shows. A race is
/// where its two accesses are, whatever has to come before them.
static std::set<std::string> functionsOf(const Finding& finding) {
  std::set<std::string> functions;
  for (const OrderingFact& fact : finding.core) {
    functions.insert(fact.before.function);
    functions.insert(fact.after.function);
  }
  if (functions.empty() || finding.kind == Property::Race) {
    functions.insert(finding.place.function);
    for (const RelatedPlace& related : finding.related) functions.insert(related.place.function);
  }
  functions.erase("");
  return functions;
}

/// Only functions that change call it, and none that a thread begins in: it is a part of them.
static bool isPartOf(const Survey& survey, const std::string& name, const std::set<std::string>& changed,
                     const std::set<std::string>& begun) {
  bool isCalled = false;
  for (const SurveyFunction& function : survey.functions) {
    if (!function.callees.contains(name)) continue;
    if (!changed.contains(function.name) || begun.contains(function.name)) return false;
    isCalled = true;
  }
  return isCalled;
}

/// A thread's part in the failure is made of several calls: how they belong together, only their caller can
/// say.
static bool isOfSeveralCalls(const Finding& finding) {
  std::map<std::string, std::set<std::string>> functions;
  for (const OrderingFact& fact : finding.core) {
    functions[fact.beforeThread].insert(fact.before.function);
    functions[fact.afterThread].insert(fact.after.function);
  }
  return std::any_of(functions.begin(), functions.end(),
                     [](const auto& thread) { return thread.second.size() > 1; });
}

/// It takes no lock itself, and is static and called only by functions that take one: for them, with the
/// lock.
static bool isCalledWithLock(const Survey& survey, const std::string& name,
                             std::set<std::string> above = {}) {
  const SurveyFunction* function = survey.find(name);
  if (!above.insert(name).second) return true;  // by itself
  if (function == nullptr || !function->isStatic || function->locks) return false;
  bool isCalled = false;
  for (const SurveyFunction& caller : survey.functions) {
    if (!caller.callees.contains(name)) continue;
    if (!caller.locks && !isCalledWithLock(survey, caller.name, above)) return false;
    isCalled = true;
  }
  return isCalled;
}

/// Uses of the functions that callers may make: what is meant for under a lock, nobody calls beside others.
static std::vector<GeneratedHarness> legalUsesOf(const Survey& survey,
                                                 const std::set<std::string>& functions) {
  std::vector<GeneratedHarness> uses = usesOf(survey, functions);
  std::erase_if(uses, [&](const GeneratedHarness& use) {
    return use.isParallel && std::any_of(use.functions.begin(), use.functions.end(),
                                         [&](const auto& name) { return isCalledWithLock(survey, name); });
  });
  return uses;
}

/// Whether threads make each two of these calls at the same time in some use: else that no use shows what
/// went wrong says nothing.
static bool meetInUses(const std::set<std::string>& called, const std::vector<GeneratedHarness>& uses) {
  const auto calls = [](const GeneratedHarness& use, const std::string& name) {
    return std::find(use.functions.begin(), use.functions.end(), name) != use.functions.end();
  };
  const auto meet = [&](const std::string& a, const std::string& b) {
    return std::any_of(uses.begin(), uses.end(), [&](const GeneratedHarness& use) {
      return use.isParallel && calls(use, a) && calls(use, b);
    });
  };
  return std::all_of(called.begin(), called.end(), [&](const std::string& a) {
    return std::all_of(called.begin(), called.end(), [&](const std::string& b) { return meet(a, b); });
  });
}

/// Whether the patch changes only calls of the functions that have the bug, and who keeps it then.
static void checkOutside(const Survey& survey, const std::set<std::string>& changed, const Snapshot& before,
                         const Snapshot& after, const Finding& finding, const Options& options,
                         const Budget& budget, CallerCheck& check) {
  std::set<std::string> begun = {options.entry};
  for (const SurveyFunction& function : survey.functions)
    begun.insert(function.starts.begin(), function.starts.end());
  std::set<std::string> called;
  bool isOwnPart = false;  // the driver takes part in the failure, and that part changes
  for (const std::string& name : functionsOf(finding)) {
    if (begun.contains(name))
      isOwnPart = isOwnPart || changed.contains(name);
    else if (changed.contains(name))
      return;
    else if (survey.find(name) != nullptr && !isPartOf(survey, name, changed, begun))
      called.insert(name);
  }
  // Who sets an object up or takes it down says who may use it meanwhile.
  const bool isOfLife = std::any_of(changed.begin(), changed.end(), [&](const std::string& name) {
    const SurveyFunction* function = survey.find(name);
    const bool createsThreads = function != nullptr && !function->starts.empty() && name != options.entry;
    return createsThreads || isSetUp(name) || isTakeDown(name);
  });
  // What changes beside them, and does not call them, may be what they wait for or look at.
  const bool areCallers = std::all_of(changed.begin(), changed.end(), [&](const std::string& name) {
    const std::set<std::string> reached = reachedFrom(survey, name, true);
    return std::any_of(called.begin(), called.end(), [&](const auto& one) { return reached.contains(one); });
  });
  if (called.empty() || changed.empty() || isOfLife || !areCallers) return;
  check.isOutside = true;

  size_t clean = 0, made = 0;
  const std::vector<GeneratedHarness> uses = legalUsesOf(survey, called);
  for (const GeneratedHarness& use : uses) {
    ++made;
    if (budget.check() != StopReason::None) continue;
    const ExploredUse explored(use.text, options, budget);
    const Report now = explored.of(after);
    if (now.findings.empty()) {
      clean += ExploredUse::isWhole(now) ? 1 : 0;
      continue;
    }
    if (explored.of(before).findings.empty()) continue;
    check.onlyThisDriver = use.title + " keeps the bug";
    return;
  }
  // An assertion is mostly the driver's own: that no use shows its failure says nothing.
  const bool isShownByUses = finding.kind != Property::Assert;
  if (isShownByUses && clean > 0 && clean == made && meetInUses(called, uses)) {
    check.isOutside = false;
    return;
  }
  const bool isDriver = std::any_of(changed.begin(), changed.end(),
                                    [&](const std::string& name) { return begun.contains(name); });
  if (!isDriver || isOwnPart || isOfSeveralCalls(finding)) return;
  std::string names;
  for (const std::string& name : called) names += (names.empty() ? "'" : ", '") + name + "'";
  check.onlyThisDriver = names + (called.size() == 1 ? " is" : " are") + " as before for other callers";
}

/// Takes up what failed in the use before the patch, and does not with it.
static void addMended(const GeneratedHarness& use, const Report& was, const Report& now, CallerCheck& check) {
  MendedUse mended{use.title, use.text, {}};
  for (const auto& [kind, verdict] : was.properties) {
    const auto after = now.properties.find(kind);
    if (verdict == Verdict::Violated && after != now.properties.end() &&
        (after->second == Verdict::Verified || after->second == Verdict::VerifiedWithinBounds))
      mended.kinds.insert(kind);
  }
  if (!mended.kinds.empty()) check.mended.push_back(std::move(mended));
}

CallerCheck checkOtherUses(const Snapshot& before, const Snapshot& after, const Finding& finding,
                           const Options& options, const Budget& budget) {
  CallerCheck check;
  const Survey survey = surveyOf(before, budget);
  if (!survey.problem.empty()) return check;
  const std::set<std::string> changed = changedFunctions(survey, before.text, after.text);
  checkOutside(survey, changed, before, after, finding, options, budget.part(&Tuning::keptUses), check);
  for (const GeneratedHarness& use : legalUsesOf(survey, changed)) {
    ++check.made;
    if (budget.check() != StopReason::None) continue;
    const ExploredUse explored(use.text, options, budget);
    const Report now = explored.of(after);
    if (now.findings.empty()) {
      if (!ExploredUse::isWhole(now)) continue;
      ++check.uses;
      addMended(use, explored.of(before), now, check);
      continue;
    }
    const Report was = explored.of(before);
    addMended(use, was, now, check);
    if (was.stats.executions == 0) {  // it cannot be run at all
      --check.made;
      continue;
    }
    bool isOld = true;
    for (const Finding& shown : now.findings) {
      const auto known = was.properties.find(shown.kind);
      // What could not be decided before may have been there.
      if (known == was.properties.end() || known->second == Verdict::Violated ||
          known->second == Verdict::Incomplete) {
        isOld = isOld && known != was.properties.end() && known->second == Verdict::Violated;
        continue;
      }
      check.problem = "wrong for other callers, as for " + use.title + ": " + shown.message;
      return check;
    }
    // What such a caller does wrong, it does with and without the patch: it says nothing of the patch.
    if (isOld) --check.made;
  }
  return check;
}

bool failsInUse(const Snapshot& after, const MendedUse& use, const Options& options, const Budget& budget) {
  const Report now = ExploredUse(use.text, options, budget).of(after);
  return std::any_of(use.kinds.begin(), use.kinds.end(), [&](Property kind) {
    const auto verdict = now.properties.find(kind);
    return verdict != now.properties.end() && verdict->second == Verdict::Violated;
  });
}

ExploredInstead exploredInstead(const Snapshot& snapshot, const Options& options, const Budget& budget) {
  RecentOffers recent;
  std::optional<Harnessed> made = OfferedHarnesses(snapshot, options, budget, recent).asked();
  if (!made) return {snapshot, options};
  return {std::move(made->snapshot), std::move(made->options)};
}

Engine withGeneratedHarnesses(Engine engine) {
  Engine out = engine;
  const auto recent = std::make_shared<RecentOffers>();
  out.analyze = [engine, recent](const Snapshot& snapshot, const Options& options, const Budget& budget,
                                 const Observer& observer) {
    return analyzeHarnessed(engine, *recent, snapshot, options, budget, observer);
  };
  out.replay = [engine, recent](const Snapshot& snapshot, const Options& options, const std::string& schedule,
                                const Budget& budget) {
    return replayHarnessed(engine, *recent, snapshot, options, schedule, budget);
  };
  if (engine.replayEach)
    out.replayEach = [engine, recent](const Snapshot& snapshot, const Options& options,
                                      const std::vector<std::string>& schedules, const Budget& budget,
                                      const std::function<void(size_t, const ReplayResult&)>& seen) {
      const std::optional<Harnessed> made = OfferedHarnesses(snapshot, options, budget, *recent).asked();
      if (!made) return engine.replayEach(snapshot, options, schedules, budget, seen);
      for (size_t i = 0; i < schedules.size() && budget.check() == StopReason::None; i++)
        seen(i, replayHarnessed(engine, *recent, snapshot, options, schedules[i], budget));
    };
  if (engine.repair)
    out.repair = [engine](const Snapshot& snapshot, const Options& options, const Report& report,
                          const std::string& only, const Budget& budget) {
      // A patch is explored with the calls of the file's users, and a generated harness is none of them.
      return options.harness.empty() ? engine.repair(snapshot, options, report, only, budget)
                                     : RepairResult{};
    };
  if (engine.cover)
    out.cover = [engine](const Snapshot& snapshot, const Options& options, const Budget& budget,
                         const CoverObserver& observer) {
      const ExploredInstead instead = exploredInstead(snapshot, options, budget);
      CoverReport report = engine.cover(instead.snapshot, instead.options, budget, observer);
      takeBeyondAway(report, snapshot.path, PositionMap(snapshot.text).lineCount());
      return report;
    };
  out.harnesses = [](const Snapshot& snapshot, const std::string& entry, const Budget& budget) {
    return planHarnesses(withLinked(surveyOf(snapshot, budget), snapshot), entry, budget);
  };
  return out;
}

}  // namespace heddle
