#include "analysis/pipeline/smaller_witness.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/blocked_step.h"
#include "analysis/detect/failure_finding.h"
#include "analysis/pipeline/replay_run.h"
#include "analysis/pipeline/shrink.h"
#include "analysis/same_bug.h"

namespace heddle {

namespace {

using Where = std::tuple<std::string, PlaceId>;

/// Where each thread acquired what it has locked at the end.
std::map<std::string, std::multiset<PlaceId>> heldAfter(const Names& names,
                                                        const std::vector<TraceEntry>& trace) {
  std::map<ThreadId, std::vector<const TraceEntry*>> locks;
  for (const TraceEntry& entry : trace) {
    std::vector<const TraceEntry*>& own = locks[entry.thread];
    if (entry.kind == EventKind::Lock) own.push_back(&entry);
    if (entry.kind != EventKind::Unlock) continue;
    const auto last = std::find_if(own.rbegin(), own.rend(),
                                   [&](const TraceEntry* lock) { return lock->cells == entry.cells; });
    if (last != own.rend()) own.erase(std::next(last).base());
  }
  std::map<std::string, std::multiset<PlaceId>> held;
  for (const auto& [thread, own] : locks)
    for (const TraceEntry* lock : own) held[names.label(thread)].insert(lock->place);
  return held;
}

/// Who waited and who signalled, in order: the story of a signal that did not come.
std::vector<std::tuple<EventKind, std::string, PlaceId>> signalsOf(const Names& names,
                                                                   const std::vector<TraceEntry>& trace) {
  std::vector<std::tuple<EventKind, std::string, PlaceId>> signals;
  for (const TraceEntry& entry : trace)
    if (entry.kind >= EventKind::Wait)
      signals.emplace_back(entry.kind, names.label(entry.thread), entry.place);
  return signals;
}

class SmallerWitness {
 public:
  SmallerWitness(const Program& program, FunctionId entry, std::string_view text, const Budget& budget,
                 DiagnosisSubject& subject, Finding& finding)
      : program_(program),
        entry_(entry),
        text_(text),
        budget_(budget),
        subject_(subject),
        finding_(finding) {}

  void run() {
    const ReplayRun before = told(subject_.schedule);
    signals_ = signalsOf(*before.names, before.result.trace);
    held_ = heldAfter(*before.names, before.result.trace);
    const Schedule smaller = shrink(
        subject_.schedule, [&](const Schedule& schedule) { return showsIt(schedule); }, budget_);
    if (smaller == subject_.schedule) return;
    const ReplayRun after = told(smaller);
    if (!after.divergence.empty()) return;
    if (subject_.kind == DiagnosisSubject::Kind::Failure) {
      const Failure* failure = failureOf(after);
      if (!failure) return;
      Witness witness;
      witness.failure = *failure;
      witness.schedule = smaller;
      witness.trace = after.result.trace;
      witness.inputs = after.result.inputs;
      const Finding again = describeFailure(program_, *after.names, witness, text_);
      if (again.message != finding_.message) return;
      finding_.related = again.related;
    }
    const size_t last = subject_.kind == DiagnosisSubject::Kind::Race ? 2 : 0;
    std::vector<Step> steps = describeShownSteps(program_, *after.names, after.result.trace, last);
    // Who waits for ever at its end is no event of it, and stays as it was told.
    for (Step& step : finding_.steps)
      if (step.kind == kBlockedStep) steps.push_back(std::move(step));
    finding_.steps = std::move(steps);
    finding_.threads = describeThreads(program_, *after.names, after.result.trace);
    finding_.inputs = inputsOf(smaller, after);
    finding_.schedule = smaller.toString();
    subject_.schedule = smaller;
  }

 private:
  /// Where threads wait for ever, inputs of others that do nothing until the schedule's end may decide that
  /// they end behind it.
  std::vector<InputValue> inputsOf(const Schedule& smaller, const ReplayRun& after) {
    std::vector<InputValue> inputs = describeInputs(program_, *after.names, after.result.inputs);
    if (subject_.kind != DiagnosisSubject::Kind::Deadlock) return inputs;
    std::set<std::string> told;
    for (const InputValue& input : inputs) told.insert(input.thread);
    for (InputValue& input : finding_.inputs)
      if (smaller.inputs.contains(input.thread) && !told.contains(input.thread))
        inputs.push_back(std::move(input));
    return inputs;
  }

  /// Up to the schedule's end, with the events that others can tell.
  ReplayRun told(const Schedule& schedule) const {
    ReplayLog log;
    return recordRun(program_, entry_, schedule, budget_, false, false, log);
  }

  std::multiset<PlaceId> heldOf(const std::string& thread) const {
    const auto known = held_.find(thread);
    return known == held_.end() ? std::multiset<PlaceId>() : known->second;
  }

  const Failure* failureOf(const ReplayRun& run) const {
    const auto& failures = run.result.failures;
    const auto found = std::find_if(failures.begin(), failures.end(), [&](const Failure& failure) {
      return failure.kind == subject_.failure && failure.place == subject_.place &&
             failure.message == finding_.message;
    });
    return found == failures.end() ? nullptr : &*found;
  }

  bool showsIt(const Schedule& schedule) const {
    const ReplayRun run = replayRun(program_, entry_, schedule, budget_);
    if (!run.divergence.empty() || budget_.check() != StopReason::None) return false;
    const auto where = [&](const Event& event) { return Where{run.names->label(event.thread), event.place}; };
    switch (subject_.kind) {
      case DiagnosisSubject::Kind::Failure:
        return failureOf(run) != nullptr && failureOf(told(schedule)) != nullptr;
      case DiagnosisSubject::Kind::Race: {
        if (!run.race || run.flagIsVolatile) return false;
        std::multiset<Where> racing;
        for (const DiagnosisSubject::At& at : subject_.racing) racing.emplace(at.thread, at.place);
        if (racing != std::multiset<Where>{where(run.accessBefore), where(run.lastAccess)}) return false;
        const ReplayRun again = told(schedule);
        if (!again.divergence.empty() || again.result.trace.empty()) return false;
        auto held = heldAfter(*again.names, again.result.trace);
        return std::all_of(subject_.racing.begin(), subject_.racing.end(),
                           [&](const auto& at) { return held[at.thread] == heldOf(at.thread); });
      }
      case DiagnosisSubject::Kind::Deadlock: {
        if (run.result.outcome != RunOutcome::Quiescent) return false;
        std::set<Where> blocked;
        for (const Event& event : run.result.blocked) blocked.insert(where(event));
        const bool isSame =
            std::all_of(subject_.waiting.begin(), subject_.waiting.end(), [&](const auto& at) {
              return blocked.contains(Where{at.thread, at.place});
            });
        if (!isSame || blocked.size() != subject_.waiting.size()) return false;
        const ReplayRun again = told(schedule);
        if (!again.divergence.empty() || signalsOf(*again.names, again.result.trace) != signals_)
          return false;
        return heldAfter(*again.names, again.result.trace) == held_;
      }
      case DiagnosisSubject::Kind::Other:
        return subject_.isShownBy(run.result.trace);
    }
    return false;
  }

  const Program& program_;
  const FunctionId entry_;
  const std::string_view text_;
  const Budget& budget_;
  DiagnosisSubject& subject_;
  Finding& finding_;
  std::vector<std::tuple<EventKind, std::string, PlaceId>> signals_;
  std::map<std::string, std::multiset<PlaceId>> held_;
};

}  // namespace

void makeSmaller(const Program& program, FunctionId entry, std::string_view text, const Budget& budget,
                 std::vector<DiagnosisSubject>& subjects, std::vector<Finding>& findings) {
  const Budget share = budget.part(&Tuning::smallerWitnesses);
  for (size_t i = 0; i < subjects.size(); ++i) {
    // What it takes beside a schedule and inputs was found out for this very schedule.
    if (findings[i].possible || !findings[i].assumes.empty()) continue;
    const auto own = findings.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(findings.begin(), own, [&](const Finding& f) { return isSameBug(f, *own); })) continue;
    const Budget part = share.part(1.0 / static_cast<double>(subjects.size() - i));
    SmallerWitness(program, entry, text, part, subjects[i], findings[i]).run();
  }
}

}  // namespace heddle
