#include "analysis/explore/con2colic/con2colic_scheduler.h"

#include <algorithm>

namespace heddle {

namespace {

bool reads(const Event& e) {
  return e.kind == EventKind::Read || e.kind == EventKind::Update;
}
bool writes(const Event& e) {
  return e.kind == EventKind::Write || e.kind == EventKind::Update;
}

}  // namespace

std::optional<ThreadId> Con2colicScheduler::next(std::span<const Event* const> enabled) {
  auto pendingOf = [&](ThreadId thread) -> const Event* {
    const auto it =
        std::find_if(enabled.begin(), enabled.end(), [&](const Event* e) { return e->thread == thread; });
    return it == enabled.end() ? nullptr : *it;
  };
  if (at_ > 0 && behindPlan_ == 0 && builder_.lastExecuted() != plan_[at_ - 1])
    divergence_ = "planned event " + std::to_string(at_ - 1) + " came out as another event";
  if (!divergence_.empty()) return std::nullopt;
  if (!planDone()) {
    const Event* const planned = pendingOf(forest_[plan_[at_]].thread);
    if (planned) {
      ++at_;
      return perform(*planned);
    }
    divergence_ = "planned event " + std::to_string(at_) + " is not enabled";
    return std::nullopt;
  }
  const Event* const own = pendingOf(alone_);
  if (!own || overran_) return std::nullopt;
  ++behindPlan_;
  if (foreseen(*own)) return perform(*own);
  // What an atomic update would write is known only once it was executed.
  if (own->kind != EventKind::Update || own->rule) return std::nullopt;
  overran_ = true;
  return perform(*own);
}

bool Con2colicScheduler::foreseen(const Event& event) const {
  if (!reads(event)) return true;
  return std::all_of(event.cells.begin(), event.cells.end(), [&](LocationId location) {
    const auto writer = lastWriter_.find(location);
    return writer == lastWriter_.end() || writer->second == event.thread;
  });
}

std::optional<ThreadId> Con2colicScheduler::perform(const Event& event) {
  if (writes(event))
    for (const LocationId location : event.cells) lastWriter_[location] = event.thread;
  return event.thread;
}

}  // namespace heddle
