#include "analysis/pipeline/shrink.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace heddle {

namespace {

using Segments = std::vector<ScheduleSegment>;

/// Neighbours of one thread become one segment.
Segments joined(const Segments& segments) {
  Segments out;
  for (const ScheduleSegment& segment : segments) {
    if (!out.empty() && out.back().thread == segment.thread)
      out.back().operations += segment.operations;
    else
      out.push_back(segment);
  }
  return out;
}

class Shrinking {
 public:
  Shrinking(Schedule from, const ShowsIt& shows, const Budget& budget)
      : best_(std::move(from)), shows_(shows), budget_(budget) {}

  Schedule run() {
    // What ends earlier may save switches, and fewer switches may let more end earlier.
    for (bool isBetter = true; isBetter && mayGoOn();) {
      isBetter = fewerSwitches();
      isBetter |= fewerSteps();
    }
    smallerInputs();
    return std::move(best_);
  }

 private:
  bool mayGoOn() const { return replays_ < kMostReplays && budget_.check() == StopReason::None; }

  bool attempt(Schedule changed) {
    // A replay goes on by itself behind its schedule, so none at all may show it: that is nothing to look at.
    if (!mayGoOn() || changed == best_ || changed.segments.empty()) return false;
    ++replays_;
    if (!shows_(changed)) return false;
    best_ = std::move(changed);
    return true;
  }

  bool attemptOrder(Segments segments) {
    Schedule changed = best_;
    changed.segments = joined(segments);
    return changed.segments.size() < best_.segments.size() && attempt(std::move(changed));
  }

  /// Takes what a thread does later to where it was last on, or what it did there to where it goes on.
  bool mergeAt(size_t first) {
    const Segments& now = best_.segments;
    const auto isSame = [&](const ScheduleSegment& s) { return s.thread == now[first].thread; };
    const auto next = std::find_if(now.begin() + static_cast<std::ptrdiff_t>(first) + 1, now.end(), isSame);
    if (next == now.end()) return false;
    const auto second = static_cast<size_t>(next - now.begin());
    Segments earlier = now, later = now;
    std::rotate(earlier.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                earlier.begin() + static_cast<std::ptrdiff_t>(second),
                earlier.begin() + static_cast<std::ptrdiff_t>(second) + 1);
    std::rotate(later.begin() + static_cast<std::ptrdiff_t>(first),
                later.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                later.begin() + static_cast<std::ptrdiff_t>(second));
    return attemptOrder(std::move(earlier)) || attemptOrder(std::move(later));
  }

  bool fewerSwitches() {
    bool isBetter = false;
    for (size_t i = 0; i < best_.segments.size() && mayGoOn();) {
      if (mergeAt(i)) {
        isBetter = true;
        i = 0;
      } else {
        ++i;
      }
    }
    return isBetter;
  }

  /// The last stretch of each thread goes, or becomes shorter.
  bool fewerSteps() {
    bool isBetter = false;
    for (size_t i = best_.segments.size(); i-- > 0 && mayGoOn();) {
      if (i >= best_.segments.size()) continue;
      const std::string thread = best_.segments[i].thread;
      const bool isLast =
          std::none_of(best_.segments.begin() + static_cast<std::ptrdiff_t>(i) + 1, best_.segments.end(),
                       [&](const ScheduleSegment& s) { return s.thread == thread; });
      if (!isLast) continue;
      Schedule without = best_;
      without.segments.erase(without.segments.begin() + static_cast<std::ptrdiff_t>(i));
      without.segments = joined(without.segments);
      if (attempt(std::move(without))) {
        isBetter = true;
        continue;
      }
      for (uint64_t less = best_.segments[i].operations / 2; less > 0 && mayGoOn();) {
        Schedule shorter = best_;
        if (less >= shorter.segments[i].operations) break;
        shorter.segments[i].operations -= less;
        const bool isShorter = attempt(std::move(shorter));
        isBetter |= isShorter;
        if (!isShorter) less /= 2;
      }
    }
    return isBetter;
  }

  void smallerInputs() {
    std::vector<std::pair<std::string, size_t>> all;
    for (const auto& [label, values] : best_.inputs)
      for (size_t i = 0; i < values.size(); ++i) all.emplace_back(label, i);
    for (const auto& [label, i] : all) smallerInput(label, i);
  }

  void smallerInput(const std::string& label, size_t i) {
    static constexpr int64_t kPlain[] = {0, 1, -1, 2, -2, 3, 4, 5, 8, 10, 16, 100, 127, -128, 255, 1000};
    const auto valueOf = [&] { return best_.inputs[label][i]; };
    const auto attemptValue = [&](int64_t value) {
      Schedule changed = best_;
      changed.inputs[label][i] = value;
      return attempt(std::move(changed));
    };
    for (const int64_t plain : kPlain) {
      if (plain == valueOf()) return;
      const bool isNearer =
          std::abs(plain) < std::abs(valueOf()) || valueOf() == INT64_MIN || plain == -valueOf();
      if (isNearer && mayGoOn() && attemptValue(plain)) return;
    }
    // Boundaries far from 0 are met by halving.
    for (int64_t step = valueOf() / 2; step != 0 && mayGoOn();)
      if (!attemptValue(valueOf() - step)) step /= 2;
  }

  static constexpr unsigned kMostReplays = 300;
  Schedule best_;
  const ShowsIt& shows_;
  const Budget& budget_;
  unsigned replays_ = 0;
};

}  // namespace

Schedule shrink(const Schedule& from, const ShowsIt& shows, const Budget& budget) {
  return Shrinking(from, shows, budget).run();
}

}  // namespace heddle
