#include "server/schedule/confirm_earlier.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr size_t kMostTried = 8;

/// The finding as the replay shows it; nothing when it is gone.
std::optional<Finding> confirmed(const Finding& earlier, const ReplayResult& replayed) {
  for (const Finding& failure : replayed.failures) {
    if (failure.kind != earlier.kind || failure.place.function != earlier.place.function) continue;
    Finding now = earlier;
    now.place = failure.place;
    now.steps = replayed.steps;
    now.threads = replayed.threads;
    now.inputs = replayed.inputs;
    // What explained the finding pointed into the text before.
    now.core.clear();
    now.repairs.clear();
    now.related.clear();
    if (isRace(earlier) || earlier.kind == Property::Deadlock) {
      for (const Finding& other : replayed.failures)
        if (other.kind == earlier.kind) now.related.push_back({other.place, other.message});
    } else {
      now.message = failure.message;
      now.id = failure.id;
    }
    return now;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Finding> confirmEarlier(const Engine& engine, const AnalysisRequest& request,
                                    const Snapshot& snapshot, const Budget& budget,
                                    const std::function<void(const Finding&)>& seen) {
  std::vector<Finding> found;
  if (!engine.replay) return found;
  std::vector<const Finding*> tried;
  std::vector<std::string> schedules;
  for (const Finding& earlier : request.earlier) {
    if (!request.options.properties.contains(earlier.kind) || earlier.schedule.empty()) continue;
    if (tried.size() == kMostTried) break;
    tried.push_back(&earlier);
    schedules.push_back(earlier.schedule);
  }
  const auto take = [&](size_t index, const ReplayResult& replayed) {
    std::optional<Finding> now = replayed.ok ? confirmed(*tried[index], replayed) : std::nullopt;
    if (!now) return;
    seen(*now);
    found.push_back(std::move(*now));
  };
  try {
    if (engine.replayEach) {
      engine.replayEach(snapshot, request.options, schedules, budget, take);
    } else {
      for (size_t i = 0; i < schedules.size() && budget.check() == StopReason::None; i++)
        take(i, engine.replay(snapshot, request.options, schedules[i], budget));
    }
  } catch (...) {
    // The exploration reports what is wrong.
  }
  return found;
}

void addReplayed(Report& report, const Finding& finding) {
  const bool isKnown = std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& other) {
    return other.kind == finding.kind && other.place == finding.place;
  });
  if (isKnown) return;
  report.findings.push_back(finding);
  report.properties[finding.kind] = Verdict::Violated;
  report.verdict = Verdict::Violated;
}

void keepConfirmed(Report& report, const std::vector<Finding>& confirmed) {
  if (report.verdict != Verdict::Incomplete && report.verdict != Verdict::Cancelled) return;
  for (const Finding& finding : confirmed) addReplayed(report, finding);
}

}  // namespace heddle
