#include "analysis/enforce/relax.h"

#include <algorithm>
#include <chrono>

#include "analysis/enforce/enforced_program.h"
#include "analysis/enforce/split_inputs.h"
#include "analysis/model/schedule.h"

namespace heddle {

namespace {

using Clock = std::chrono::steady_clock;

class Relaxer {
 public:
  Relaxer(const Snapshot& snapshot, const Options& options, const Budget& budget,
          const EnforceOptions& enforce, const std::function<void(const RelaxStep&)>& seen)
      : snapshot_(snapshot), options_(options), budget_(budget), enforce_(enforce), seen_(seen) {}

  Enforcement find() {
    marked_ = markedProgram(snapshot_, options_, result_.sites);
    if (!marked_.program) {
      result_.problem = marked_.problem;
      return std::move(result_);
    }
    const std::vector<Candidate> candidates = findCandidates();
    result_.candidates = candidates.size();
    if (candidates.empty())
      result_.problem = budget_.check() == StopReason::None
                            ? "no execution of it was found that ends well, so there is nothing to keep to"
                            : "the budget ended before an execution was found that ends well";
    for (const Candidate& candidate : candidates)
      if (proveFrom(candidate)) {
        relax();
        return std::move(result_);
      }
    if (!candidates.empty() && proveByInputs(candidates.front())) {
      relax();
      return std::move(result_);
    }
    if (result_.problem.empty())
      result_.problem = budget_.check() == StopReason::None
                            ? "no constraints were found under which the program could be proved safe"
                            : "the budget ended before a proof";
    return std::move(result_);
  }

 private:
  struct Candidate {
    TraceOrder order = TraceOrder::InTurn;
    uint32_t seed = 1;
    Prefix prefix;
    uint64_t cost = 0;
    int64_t input = 0;  // the value of all inputs of its trace
  };

  double sinceStart() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

  std::optional<Prefix> traceOf(TraceOrder order, uint32_t seed, const TraceInputs& inputs) {
    Trace trace = recordTrace(*marked_.program, marked_.entry, result_.sites, order, seed, inputs, budget_);
    if (!trace.complete) return std::nullopt;
    return std::move(trace.prefix);
  }

  std::vector<Candidate> findCandidates() {
    // Inputs that an assumption lets pass; the rest of the inputs is the proof's concern.
    constexpr int64_t kSmall[] = {0, 1, 2, 3, 5, 10, 50, 100};
    std::vector<Candidate> candidates;
    const auto add = [&](TraceOrder order, uint32_t seed) {
      if (enforce_.order && *enforce_.order != order) return;
      for (const int64_t value : kSmall) {
        const std::optional<Prefix> prefix = traceOf(order, seed, {{}, value});
        if (!prefix) continue;
        candidates.push_back({order, seed, *prefix, costOf(*prefix), value});
        break;
      }
    };
    for (const TraceOrder order : {TraceOrder::InTurn, TraceOrder::LastFirst, TraceOrder::Alternating})
      add(order, 1);
    // The bug is in all three, or the threads wait for each other's steps.
    constexpr uint32_t kMostLots = 40;
    constexpr size_t kEnough = 3;
    for (uint32_t seed = 1; seed <= kMostLots && candidates.size() < kEnough; ++seed)
      add(TraceOrder::Mixed, seed);
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
    return candidates;
  }

  Report prove(const Prefix& prefix, double Tuning::*share) {
    const Clock::time_point begin = Clock::now();
    Report report = exploreEnforced(snapshot_, options_, prefix, budget_.part(share));
    RelaxStep& step = result_.steps.emplace_back();
    step.prefix = prefix;
    step.proved = isProved(report);
    step.verdict = report.verdict;
    step.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    step.sinceStart = sinceStart();
    step.executions = report.stats.executions;
    seen_(step);
    if (step.proved) accept(prefix, report);
    return report;
  }

  void accept(const Prefix& prefix, const Report& report) {
    if (!result_.found) result_.safeAfter = sinceStart();
    result_.found = true;
    result_.prefix = prefix;
    result_.verdict = report.verdict;
    result_.isFree = prefix.constraints.empty();
    result_.bounds.clear();
    for (const NamedBound& bound : report.bounds) result_.bounds.push_back(bound.text);
    for (const Assumption& assumption : report.assumptions) result_.bounds.push_back(assumption.text);
  }

  bool proveFrom(const Candidate& candidate) {
    constexpr int kMostInputs = 24;
    Prefix prefix = candidate.prefix;
    result_.order = candidate.order;
    for (int i = 0; i < kMostInputs && budget_.check() == StopReason::None; ++i) {
      const Report report = prove(prefix, &Tuning::enforcedPrefix);
      if (result_.found) return true;
      // Other inputs take other ways: what their traces order is to be kept as well.
      const size_t before = prefix.constraints.size();
      for (const Finding& finding : report.findings)
        if (const std::optional<Prefix> other = traceOf(candidate.order, candidate.seed, inputsOf(finding)))
          for (const Constraint& constraint : other->constraints)
            if (std::find(prefix.constraints.begin(), prefix.constraints.end(), constraint) ==
                prefix.constraints.end())
              prefix.constraints.push_back(constraint);
      if (prefix.constraints.size() == before) return false;
    }
    return false;
  }

  /// No order serves all inputs: each range of them gets its own.
  bool proveByInputs(const Candidate& candidate) {
    const InputSplitter splitter{
        [this](const TraceInputs& inputs) {
          std::vector<Trace> traces;
          for (const TraceOrder order : {TraceOrder::InTurn, TraceOrder::LastFirst, TraceOrder::Alternating})
            if (!enforce_.order || *enforce_.order == order)
              traces.push_back(
                  recordTrace(*marked_.program, marked_.entry, result_.sites, order, 1, inputs, budget_));
          return traces;
        },
        [this](const Prefix& prefix, const std::vector<InputRange>& when) {
          return exploreEnforced(snapshot_, options_, prefix, budget_.part(&Tuning::enforcedRange), when);
        },
        budget_};
    const std::optional<Prefix> prefix = splitter.split({{}, candidate.input});
    if (!prefix) return false;
    prove(*prefix, &Tuning::enforcedPrefix);
    return result_.found;
  }

  /// From the end; as many at once as it takes, which is as sound as one after the other.
  void relax() {
    size_t end = result_.prefix.constraints.size(), many = end;
    const size_t atLeast = enforce_.atLeast;
    while (end > 0 && result_.prefix.constraints.size() > atLeast && budget_.check() == StopReason::None) {
      many = std::min({many, end, result_.prefix.constraints.size() - atLeast});
      Prefix fewer = result_.prefix;
      const auto from = fewer.constraints.begin() + static_cast<std::ptrdiff_t>(end - many);
      fewer.constraints.erase(from, fewer.constraints.begin() + static_cast<std::ptrdiff_t>(end));
      if (isProved(prove(fewer, &Tuning::enforcedFewer))) {
        end -= many;
        many *= 2;
      } else if (many > 1) {
        many /= 2;
      } else {
        --end;
      }
    }
    result_.wasRelaxed = end == 0;
  }

  const Snapshot& snapshot_;
  const Options& options_;
  const Budget& budget_;
  const EnforceOptions& enforce_;
  const std::function<void(const RelaxStep&)>& seen_;
  const Clock::time_point started_ = Clock::now();
  PreparedProgram marked_;
  Enforcement result_;
};

}  // namespace

bool isProved(const Report& report) {
  return report.findings.empty() &&
         (report.verdict == Verdict::Verified || report.verdict == Verdict::VerifiedWithinBounds);
}

/// The inputs of a finding, which its schedule carries.
TraceInputs inputsOf(const Finding& finding) {
  TraceInputs inputs;
  std::string ignored;
  if (const std::optional<Schedule> schedule = Schedule::parse(finding.schedule, ignored))
    inputs.values = schedule->inputs;
  return inputs;
}

Enforcement findEnforcement(const Snapshot& snapshot, const Options& options, const Budget& budget,
                            const EnforceOptions& enforce,
                            const std::function<void(const RelaxStep&)>& seen) {
  return Relaxer(snapshot, options, budget, enforce, seen).find();
}

}  // namespace heddle
