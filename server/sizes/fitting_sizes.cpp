#include "server/sizes/fitting_sizes.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "server/sizes/size_constants.h"

namespace heddle {
namespace {

constexpr int64_t kSmallest = 2;
constexpr size_t kMostSizes = 8;
constexpr double kQuick = 0.05;  // of what is left of the budget: the next step is a large one
constexpr double kAsFast = 1.5;  // times what the smallest sizes took
constexpr double kNoise = 0.02;  // of what is left of the budget

bool isCutSomewhere(const std::vector<NamedBound>& bounds) {
  return std::any_of(bounds.begin(), bounds.end(), [](const NamedBound& bound) { return isCut(bound.kind); });
}

bool isTooLarge(const Report& report) {
  if (!report.findings.empty()) return false;
  if (report.verdict == Verdict::VerifiedWithinBounds) return isCutSomewhere(report.bounds);
  return report.verdict == Verdict::Incomplete &&
         (report.problemKind == ProblemKind::Budget || report.problemKind == ProblemKind::NotReached);
}

bool isPowerOfTwo(int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

/// One constant, on its way from small to what is written.
struct Growing {
  SizeConstant constant;
  int64_t value = kSmallest;
  int64_t below = 0;  // larger ones were tried from here on, and are not decided
  bool ends = false;
};

class SizeSearch {
 public:
  SizeSearch(const Engine& engine, const Snapshot& snapshot, const Options& options, const Budget& budget)
      : engine_(engine), snapshot_(snapshot), options_(options), budget_(budget) {
    options_.diagnose = false;
    options_.summarizeAccesses = false;
  }

  std::vector<SizedRun> run(const std::vector<SizeConstant>& constants) {
    for (const SizeConstant& constant : constants)
      if (growing_.size() < kMostSizes) growing_.push_back({constant, kSmallest, constant.written + 1});
    leaveOutWhatBreaks();
    if (growing_.empty() || attempt(budget_) != Outcome::Verified) return std::move(runs_);
    leaveOutWhatCostsNothing();
    while (std::any_of(growing_.begin(), growing_.end(), [](const Growing& one) { return !one.ends; }))
      for (Growing& one : growing_) grow(one);
    keepTheSmallestFailure();
    return std::move(runs_);
  }

 private:
  enum class Outcome : uint8_t { Verified, Failed, Open };

  /// Constants whose smaller value does not compile (an assertion on sizes, an #error) keep what is written.
  void leaveOutWhatBreaks() {
    if (!engine_.definesFunction || compiles(valuesNow())) return;
    std::erase_if(growing_, [&](const Growing& one) { return !compiles({{one.constant.name, one.value}}); });
  }

  bool compiles(const std::map<std::string, int64_t>& values) const {
    const std::optional<Snapshot> changed = withSizes(snapshot_, values);
    return changed && engine_.definesFunction(*changed, options_.entry).has_value();
  }

  std::map<std::string, int64_t> valuesNow() const {
    std::map<std::string, int64_t> values;
    for (const Growing& one : growing_)
      if (one.value != one.constant.written) values[one.constant.name] = one.value;
    return values;
  }

  /// The part of the budget that a run took, from the clock where there is a deadline.
  double left() const {
    if (const auto& deadline = budget_.deadline())
      return std::chrono::duration<double>(*deadline - Budget::Clock::now()).count();
    return static_cast<double>(budget_.stepLimit() - std::min(budget_.stepLimit(), budget_.spent()));
  }

  /// Explores the sizes as they are now, and keeps what came out.
  Outcome attempt(const Budget& budget) {
    const std::optional<Snapshot> changed = withSizes(snapshot_, valuesNow());
    if (!changed) return Outcome::Open;
    const double before = left();
    Report report = engine_.analyze(*changed, options_, budget, Observer{});
    taken_ = before - left();
    if (report.verdict == Verdict::Error || report.verdict == Verdict::Unsupported ||
        report.verdict == Verdict::Cancelled || report.problemKind == ProblemKind::Ours)
      return Outcome::Open;
    SizedRun run;
    run.verdict = report.verdict;
    run.bounds = std::move(report.bounds);
    run.wallSeconds = report.stats.wallSeconds;
    for (const Growing& one : growing_)
      if (one.value != one.constant.written)
        run.sizes.push_back({one.constant.name, one.constant.written, one.value, one.constant.place});
    for (Finding& finding : report.findings) {
      finding.possible = true;
      for (const ChosenSize& size : run.sizes)
        finding.assumes.push_back(size.name + " is " + std::to_string(size.value) + ", where the text has " +
                                  std::to_string(size.written));
      run.findings.push_back(std::move(finding));
    }
    const Outcome outcome = !run.findings.empty() ? Outcome::Failed
                            : isDecided(run)      ? Outcome::Verified
                                                  : Outcome::Open;
    runs_.push_back(std::move(run));
    return outcome;
  }

  bool isAllWritten() const { return valuesNow().empty(); }

  /// Sizes with which the program is decided as fast as without: they are none of what makes it large.
  void leaveOutWhatCostsNothing() {
    const double first = std::max(taken_, 0.0);
    for (Growing& one : growing_) {
      const double rest = left();
      if (rest <= 0) return;
      const int64_t small = one.value;
      one.value = one.constant.written;
      const size_t known = runs_.size();
      const bool isDecidedNow =
          !isAllWritten() &&
          attempt(budget_.part(std::min(0.5, (kAsFast * first + kNoise * rest) / rest))) == Outcome::Verified;
      if (isDecidedNow) {
        one.ends = true;
        continue;
      }
      one.value = small;
      if (runs_.size() > known && runs_.back().findings.empty()) runs_.pop_back();  // it had little time
    }
  }

  int64_t nextOf(const Growing& one) const {
    const bool isQuick = taken_ < kQuick * left() || isPowerOfTwo(one.constant.written);
    const int64_t next = isQuick ? 2 * one.value : one.value + 1;
    if (next < one.below) return next;
    return isPowerOfTwo(one.constant.written) ? one.value : one.value + (one.below - one.value) / 2;
  }

  void grow(Growing& one) {
    if (one.ends) return;
    const int64_t small = one.value;
    const int64_t next = nextOf(one);
    if (next == small || budget_.check() != StopReason::None) {
      one.ends = true;
      return;
    }
    one.value = next;
    const Outcome outcome = isAllWritten() ? Outcome::Open : attempt(budget_.part(&Tuning::largerSizes));
    if (outcome == Outcome::Verified) return;
    one.value = small;
    one.below = next;
    one.ends = outcome == Outcome::Failed;
  }

  void keepTheSmallestFailure() {
    const auto sizeOf = [](const SizedRun& run) {
      double size = 0;  // of all constants, where those that are not named are as written
      for (const ChosenSize& one : run.sizes)
        size += static_cast<double>(one.value) / static_cast<double>(one.written) - 1;
      return size;
    };
    const SizedRun* smallest = nullptr;
    for (const SizedRun& run : runs_)
      if (!run.findings.empty() && (smallest == nullptr || sizeOf(run) < sizeOf(*smallest))) smallest = &run;
    if (smallest == nullptr) return;
    const std::vector<ChosenSize> kept = smallest->sizes;
    std::erase_if(runs_, [&](const SizedRun& run) { return !run.findings.empty() && run.sizes != kept; });
  }

  const Engine& engine_;
  const Snapshot& snapshot_;
  Options options_;
  const Budget& budget_;
  std::vector<Growing> growing_;
  std::vector<SizedRun> runs_;
  double taken_ = 0;  // by the last attempt, in the unit of left()
};

}  // namespace

bool isDecided(const SizedRun& run) {
  return !run.findings.empty() || run.verdict == Verdict::Verified ||
         (run.verdict == Verdict::VerifiedWithinBounds && !isCutSomewhere(run.bounds));
}

Report analyzeWithSizes(const Engine& engine, const Snapshot& snapshot, const Options& options,
                        const Budget& budget, const Observer& observer) {
  const bool hasEnd = budget.deadline() || budget.stepLimit() != Budget::kUnlimitedSteps;
  const bool mayTry = hasEnd && options.unroll == 0 && options.checkpoint.empty() && options.harness.empty();
  if (!mayTry || sizeConstants(snapshot, {}).empty())
    return engine.analyze(snapshot, options, budget, observer);
  Report report = engine.analyze(snapshot, options, budget.part(&Tuning::writtenSizes), observer);
  if (!isTooLarge(report)) return report;
  report.sized = SizeSearch(engine, snapshot, options, budget).run(sizeConstants(snapshot, report.reached));
  return report;
}

}  // namespace heddle
