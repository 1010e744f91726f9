#include "server/driver/lone_calls_told.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "server/driver/check.h"

namespace heddle {

// Of the time that is left: calls that cannot be decided must not take it from the many that can.
constexpr double kMostOfOneCall = 0.15;
// Of an equal part: most calls need less than that.
constexpr double kParts = 2;
// Where allocations fail, most of a call was explored before.
constexpr double kPartOfFailing = 0.5;
// So many calls have the time of one exploration; more have more, up to some times as much.
constexpr double kCallsOfOne = 30, kPairsOfOne = 12, kMostTimes = 3;

namespace {

double weightOf(const ExplorationInput& input) {
  return input.allocationsFail ? kPartOfFailing : 1;
}

/// It is called verified, and there are sides of conditions that no execution took.
bool isInPart(const Report& report) {
  const bool isGreen = report.verdict == Verdict::Verified || report.verdict == Verdict::VerifiedWithinBounds;
  return isGreen && report.reach && report.reach->branchSides.reached < report.reach->branchSides.all;
}

}  // namespace

LoneCallsTold::LoneCallsTold(const std::vector<ExplorationInput>& inputs, bool areBeside,
                             std::stop_token stop)
    : stop_(std::move(stop)) {
  for (const ExplorationInput& input : inputs) {
    hasOthers_[input.files.first] |= areBeside || !isOne(input);
    if (!isOne(input)) continue;
    Calls& calls = calls_[{input.files.first, input.isAlone}];
    calls.left += weightOf(input);
    calls.all += input.allocationsFail ? 0 : 1;
  }
}

std::optional<Budget> LoneCallsTold::next(const ExplorationInput& input) {
  const std::lock_guard<std::mutex> guard(mutex_);
  Calls& calls = calls_.at({input.files.first, input.isAlone});
  std::optional<Budget>& budget = calls.budget;
  const double weight = weightOf(input);
  const double part = kParts * weight / std::max(calls.left, weight);
  calls.left -= weight;
  if (!budget) {
    CommonOptions options = input.options;
    // Nobody has asked for these calls: they end though all else may take any time.
    if (options.budget.count() == 0) options.budget = CommonOptions().budget;
    const double one = input.isAlone ? kCallsOfOne : kPairsOfOne;
    const double times = std::clamp(static_cast<double>(calls.all) / one, 1.0, kMostTimes);
    options.budget =
        std::chrono::milliseconds(static_cast<int64_t>(static_cast<double>(options.budget.count()) * times));
    budget = budgetOf(options, stop_);
  }
  if (budget->check() != StopReason::None) return std::nullopt;
  return budget->part(std::min(part, kMostOfOneCall));
}

bool LoneCallsTold::hasOthers(const ExplorationInput& input) const {
  return hasOthers_.at(input.files.first);
}

void LoneCallsTold::add(const ExplorationInput& input, const Report* report) {
  if (input.allocationsFail) return;  // the call is counted
  Calls& calls = calls_.at({input.files.first, input.isAlone});
  if (!report) {
    ++calls.notExplored;
    return;
  }
  ++calls.verdicts[report->verdict];
  calls.inPart += isInPart(*report) ? 1 : 0;
}

std::string LoneCallsTold::text() const {
  std::string text;
  for (const auto& [which, calls] : calls_) {
    size_t explored = 0;
    std::string verdicts;
    for (const auto& [verdict, number] : calls.verdicts) {
      explored += number;
      verdicts += (verdicts.empty() ? "" : ", ") + std::to_string(number) + " " + toString(verdict);
    }
    if (explored + calls.notExplored == 0) continue;
    text += which.first->given + ": " + std::to_string(explored) +
            (which.second ? " other calls, each alone" : " further calls side by side") +
            (verdicts.empty() ? "" : ": " + verdicts) +
            (calls.inPart == 0 ? ""
                               : "; " + std::to_string(calls.inPart) +
                                     " of the verified took not all sides of conditions") +
            (calls.notExplored == 0 ? "" : "; no time for " + std::to_string(calls.notExplored)) + '\n';
  }
  return text;
}

}  // namespace heddle
