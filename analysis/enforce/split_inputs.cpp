#include "analysis/enforce/split_inputs.h"

#include <algorithm>
#include <limits>

#include "analysis/enforce/relax.h"

namespace heddle {

namespace {

/// The constraints that serve the inputs within all of the ranges.
struct Region {
  std::vector<InputRange> when;
  Prefix prefix;
};
using Regions = std::vector<Region>;

constexpr int kMostSplits = 3;  // of one region, one within the other

class Splitting {
 public:
  explicit Splitting(const InputSplitter& use) : use_(use) {}

  std::optional<Regions> solve(const std::vector<InputRange>& when, const TraceInputs& inputs,
                               int splits) const {
    for (const Trace& trace : use_.record(inputs)) {
      if (use_.budget.check() != StopReason::None) return std::nullopt;
      if (!trace.complete) continue;
      const Report report = use_.explore(trace.prefix, when);
      if (isProved(report)) return Regions{{when, trace.prefix}};
      if (splits == 0) continue;
      for (const Finding& finding : report.findings)
        if (std::optional<Regions> both = divide(when, trace, inputs, inputsOf(finding), splits)) return both;
    }
    return std::nullopt;
  }

 private:
  /// By an input that makes the difference between those that the trace serves and the others.
  std::optional<Regions> divide(const std::vector<InputRange>& when, const Trace& trace,
                                const TraceInputs& served, const TraceInputs& others, int splits) const {
    std::map<SiteEvent, int64_t> given;
    for (const Trace& other : use_.record(others)) given.insert(other.inputs.begin(), other.inputs.end());
    for (const auto& [input, near] : trace.inputs) {
      const auto far = given.find(input);
      if (far == given.end() || far->second == near) continue;
      const std::optional<int64_t> last = lastServed(when, trace.prefix, input, near, far->second);
      if (!last) continue;
      InputRange inside{input}, outside{input};
      (near < far->second ? inside.high : inside.low) = *last;
      (near < far->second ? outside.low : outside.high) = near < far->second ? *last + 1 : *last - 1;
      const std::vector<InputRange> within = with(when, inside);
      std::optional<Regions> regions;
      if (isProved(use_.explore(trace.prefix, within)))
        regions = Regions{{within, trace.prefix}};
      else
        regions = solve(within, served, splits - 1);
      if (!regions) continue;
      const std::optional<Regions> rest = solve(with(when, outside), others, splits - 1);
      if (!rest) continue;
      regions->insert(regions->end(), rest->begin(), rest->end());
      return regions;
    }
    return std::nullopt;
  }

  /// From `near` on towards `far`, which is not served.
  std::optional<int64_t> lastServed(const std::vector<InputRange>& when, const Prefix& prefix,
                                    const SiteEvent& input, int64_t near, int64_t far) const {
    const auto serves = [&](int64_t value) {
      return isProved(use_.explore(prefix, with(when, {input, value, value})));
    };
    if (!serves(near)) return std::nullopt;
    const auto distance = [&] {
      return near < far ? static_cast<uint64_t>(far) - static_cast<uint64_t>(near)
                        : static_cast<uint64_t>(near) - static_cast<uint64_t>(far);
    };
    while (distance() > 1) {
      if (use_.budget.check() != StopReason::None) return std::nullopt;
      const auto half = static_cast<int64_t>(distance() / 2);
      const int64_t middle = near < far ? near + half : near - half;
      (serves(middle) ? near : far) = middle;
    }
    return near;
  }

  /// One range for each input.
  static std::vector<InputRange> with(std::vector<InputRange> when, const InputRange& added) {
    for (InputRange& range : when)
      if (range.input == added.input) {
        range.low = std::max(range.low, added.low);
        range.high = std::min(range.high, added.high);
        return when;
      }
    when.push_back(added);
    return when;
  }

  const InputSplitter& use_;
};

/// What all regions have in common holds for all inputs.
Prefix joined(const Regions& regions) {
  Prefix prefix;
  for (const Region& region : regions)
    for (Constraint constraint : region.prefix.constraints) {
      const bool isCommon = std::all_of(regions.begin(), regions.end(), [&](const Region& other) {
        const auto& all = other.prefix.constraints;
        return std::find(all.begin(), all.end(), constraint) != all.end();
      });
      if (!isCommon) constraint.when = region.when;
      auto& all = prefix.constraints;
      if (std::find(all.begin(), all.end(), constraint) == all.end()) all.push_back(std::move(constraint));
    }
  return prefix;
}

}  // namespace

std::optional<Prefix> InputSplitter::split(const TraceInputs& inputs) const {
  const std::optional<Regions> regions = Splitting(*this).solve({}, inputs, kMostSplits);
  if (!regions || regions->size() < 2) return std::nullopt;
  return joined(*regions);
}

}  // namespace heddle
