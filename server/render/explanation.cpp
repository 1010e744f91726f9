#include "server/render/explanation.h"

#include <algorithm>
#include <set>

namespace heddle {
namespace {

std::string lineText(const SourcePlace& place, const std::string& mainFile) {
  if (place.line == 0) return "";
  const bool elsewhere =
      !place.file.empty() && !mainFile.empty() && baseName(place.file) != baseName(mainFile);
  return elsewhere ? baseName(place.file) + ":" + std::to_string(place.line)
                   : "line " + std::to_string(place.line);
}

std::string inParentheses(const std::string& text) {
  return text.empty() ? "" : " (" + text + ")";
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.size(), text.find('\n', begin));
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::vector<std::string> numbered(const std::vector<OrderingFact>& facts, const std::string& mainFile,
                                  size_t most) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < facts.size() && i < most; ++i)
    lines.push_back(std::to_string(i + 1) + ". " + factText(facts[i], mainFile));
  if (facts.size() > most) lines.push_back("... " + std::to_string(facts.size() - most) + " more");
  return lines;
}

std::string coreTitle(const Finding& finding) {
  if (isRace(finding)) return "Both accesses happen whenever";
  if (const uint64_t executions = finding.explanation ? finding.explanation->amongExecutions : 0)
    return "Of " + std::to_string(executions) +
           " executions (the program has too many to look at all) those fail in which";
  return finding.inputs.empty() ? "It fails whenever" : "With these inputs it fails whenever";
}

std::string regionText(const std::vector<SourceAccess>& region, const std::string& mainFile) {
  const auto byLine = [](const SourceAccess& a, const SourceAccess& b) {
    return a.place.line < b.place.line;
  };
  const SourcePlace& first = std::min_element(region.begin(), region.end(), byLine)->place;
  const SourcePlace& last = std::max_element(region.begin(), region.end(), byLine)->place;
  const auto in = [](const SourcePlace& place) {
    return place.function.empty() ? "" : " in " + place.function;
  };
  const bool isOneFunction = last.function == first.function;
  return lineText(first, mainFile) + (isOneFunction ? "" : in(first)) +
         (last.line == first.line ? "" : " to " + lineText(last, mainFile)) +
         (isOneFunction || last.line != first.line ? in(last) : "");
}

std::string regionsText(const RepairPlan& plan, const std::string& mainFile) {
  std::string text;
  std::set<std::string> known;  // several threads may run one piece of code
  for (const std::vector<SourceAccess>& region : plan.regions) {
    if (region.empty()) continue;
    const std::string one = regionText(region, mainFile);
    if (known.insert(one).second) text += (text.empty() ? "" : ", and ") + one;
  }
  return text;
}

std::string names(const std::vector<std::string>& objects) {
  std::string text;
  for (const std::string& name : objects) text += (text.empty() ? "`" : ", `") + name + "`";
  return text;
}

}  // namespace

std::string factText(const OrderingFact& fact, const std::string& mainFile) {
  const std::string separator = " before ";
  const size_t at = fact.text.find(separator);
  const std::string before = inParentheses(lineText(fact.before, mainFile));
  const std::string after = inParentheses(lineText(fact.after, mainFile));
  if (at == std::string::npos) return fact.beforeThread + before + " is before " + fact.afterThread + after;
  return fact.text.substr(0, at) + before + fact.text.substr(at) + after;
}

std::string claimText(const Finding& finding) {
  if (!finding.explanation || finding.explanation->claim.empty()) return "";
  const Explanation& explanation = *finding.explanation;
  return explanation.claim + (explanation.pattern.empty() ? "" : ": " + explanation.pattern);
}

std::vector<ExplanationPart> explanationParts(const Finding& finding, const InterleavingOptions& options) {
  constexpr size_t kFacts = 12;
  std::vector<ExplanationPart> parts;
  if (!finding.explanation) return parts;
  const Explanation& explanation = *finding.explanation;
  if (!finding.core.empty())
    parts.push_back({coreTitle(finding), numbered(finding.core, options.mainFile, kFacts), false});
  if (!explanation.facts.empty()) {
    ExplanationPart& facts = parts.emplace_back(ExplanationPart{"Locks and order", {}, false});
    for (const RelatedPlace& fact : explanation.facts)
      facts.lines.push_back("- " + fact.message + inParentheses(lineText(fact.place, options.mainFile)));
  }
  if (!explanation.steps.empty())
    parts.push_back({"Interleaving (the steps that matter)",
                     linesOf(renderInterleaving(finding.threads, explanation.steps, options)), true});
  if (explanation.passing) {
    const PassingExecution& passing = *explanation.passing;
    const size_t changes = passing.changed.size();
    const std::string passes =
        "It passes" + std::string(finding.inputs.empty() ? "" : " with the same inputs");
    if (changes == 0)
      // Some event of the failing execution does not happen in it, so no order of two was turned round.
      parts.push_back({passes + " on this schedule", {passing.schedule}, true});
    else
      parts.push_back({passes + " when " + (changes == 1 ? "this order is" : "these orders are") +
                           " turned round" + (passing.fewest ? " (no fewer will do)" : ""),
                       numbered(passing.changed, options.mainFile, kFacts), false});
  }
  if (explanation.cores.size() > 1)
    parts.push_back(
        {"Ways to fail",
         {std::to_string(explanation.cores.size()) + " sets of orderings" +
          (explanation.allFailures ? " cover every failing execution" : " were found; there may be more")},
         false});
  if (!explanation.problem.empty()) parts.push_back({"Not explained in full", {explanation.problem}, false});
  return parts;
}

std::string planText(const RepairPlan& plan, const std::string& mainFile) {
  const auto order = [&](const PlannedOrder& o) {
    return lineText(o.before.place, mainFile) + " before " + lineText(o.after.place, mainFile) +
           (o.signals > 1 ? " (" + std::to_string(o.signals) + " times)" : "");
  };
  switch (plan.kind) {
    case RepairPlan::Kind::CriticalSections:
      return (plan.existingLock.empty() ? "one mutex around " : "hold `" + plan.existingLock + "` around ") +
             regionsText(plan, mainFile);
    case RepairPlan::Kind::AtomicAccess:
      return "make `" + plan.objects.front() + "` atomic";
    case RepairPlan::Kind::LockOrder: {
      std::string names;
      for (const std::string& name : plan.lockOrder) names += (names.empty() ? "`" : ", then `") + name + "`";
      return "lock " + names + " everywhere";
    }
    case RepairPlan::Kind::LoopAroundWait:
      return "`while` around the wait at " + regionsText(plan, mainFile) +
             ": its condition has to be tested again after each wait";
    case RepairPlan::Kind::ReleaseLock:
      return "release " + names(plan.objects) + ", acquired at " + regionsText(plan, mainFile) +
             ", on every way out";
    case RepairPlan::Kind::AnnounceChange: {
      std::string places;
      for (const PlannedOrder& o : plan.orders)
        places += (places.empty() ? "" : ", ") + lineText(o.before.place, mainFile);
      return "signal " + names(plan.objects) + " after the change at " + places;
    }
    case RepairPlan::Kind::StrongerCall: {
      const bool isSignal = !plan.regions.empty() && !plan.regions.front().empty() &&
                            plan.regions.front().front().kind == AccessKind::Signal;
      return (isSignal ? "broadcast " + names(plan.objects) + " instead of signalling it at "
                       : "a call that does more at ") +
             regionsText(plan, mainFile) + (plan.why.empty() ? "" : ": " + plan.why.front());
    }
    case RepairPlan::Kind::InitialCount:
      return "initialize " + names(plan.objects) + " with " +
             (plan.count == 0 ? "one less" : std::to_string(plan.count));
    case RepairPlan::Kind::AtomicUpdate:
      return "look at " + names(plan.objects) + " and change it in one atomic operation, instead of two at " +
             regionsText(plan, mainFile);
    case RepairPlan::Kind::LockByAddress:
      return "lock " + names(plan.objects) + " in the order of their addresses, whoever comes first";
    case RepairPlan::Kind::ReleaseFirst:
      return "give " + names(plan.objects) + " back before it is asked for again at " +
             regionsText(plan, mainFile);
    case RepairPlan::Kind::MoveIntoSection:
      return "move " + regionsText(plan, mainFile) + " behind the acquisition that follows it";
    case RepairPlan::Kind::UseBeforeCall:
      return "move the call before " + regionsText(plan, mainFile) + " behind it";
    case RepairPlan::Kind::WaitForMore:
      return "wait at " + regionsText(plan, mainFile) + " also for what is under way";
    case RepairPlan::Kind::UnlockLater:
      return "move the unlock before " + regionsText(plan, mainFile) + " behind it";
    case RepairPlan::Kind::WaitOutside:
      return "wait for " + names(plan.objects) + " at " +
             lineText(plan.regions.front().back().place, mainFile) +
             (plan.count == 0 ? " before `" : " after `") + plan.regions.front().front().object +
             (plan.count == 0 ? "` is locked" : "` is unlocked");
    case RepairPlan::Kind::PublishLast:
      return "write `" + plan.regions.front().front().object + "` at " +
             lineText(plan.regions.front().front().place, mainFile) + " only behind " +
             lineText(plan.regions.front().back().place, mainFile);
    case RepairPlan::Kind::ThreadLocal:
      return "give each thread its own " + names(plan.objects);
    case RepairPlan::Kind::Fences:
      return "a full fence behind " + regionsText(plan, mainFile);
    case RepairPlan::Kind::BarrierBetween:
      return "meet at the barrier before " + regionsText(plan, mainFile) + " as well";
    case RepairPlan::Kind::RetainEarlier:
      return "call `" + plan.regions.front().front().place.function + "` before the create at " +
             (plan.create ? lineText(plan.create->place, mainFile) : "") + ", and not in the new thread";
    case RepairPlan::Kind::MoveBeforeCreate:
      return "move " + lineText(plan.orders.front().before.place, mainFile) + " before the create at " +
             (plan.create ? lineText(plan.create->place, mainFile) : "");
    case RepairPlan::Kind::MoveJoin:
      if (plan.create && plan.create->kind == AccessKind::Create)
        return "join the thread that " + lineText(plan.create->place, mainFile) + " creates before " +
               lineText(plan.orders.front().after.place, mainFile);
      return "move the join at " + (plan.create ? lineText(plan.create->place, mainFile) : "") + " before " +
             lineText(plan.orders.front().after.place, mainFile);
    case RepairPlan::Kind::SignalWait: {
      std::string text;
      for (const PlannedOrder& o : plan.orders) text += (text.empty() ? "" : ", ") + order(o);
      return "signal and wait: " + text;
    }
  }
  return "";
}

}  // namespace heddle
