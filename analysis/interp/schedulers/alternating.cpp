#include "analysis/interp/schedulers/alternating.h"

namespace heddle {

std::optional<ThreadId> AlternatingScheduler::next(std::span<const Event* const> enabled) {
  const Event *main = nullptr, *same = nullptr, *later = nullptr, *first = nullptr;
  for (const Event* event : enabled) {
    if (event->thread == kMainThread) {
      main = event;
      continue;
    }
    if (!first) first = event;
    if (event->thread == current_) same = event;
    if (!later && current_ != kNone && event->thread > current_) later = event;
  }
  if (main && (!first || main->kind == EventKind::Create)) return kMainThread;
  const Event* chosen = same && !turnOver_ ? same : later ? later : first;
  current_ = chosen->thread;
  turnOver_ = chosen->kind == EventKind::Write || chosen->kind == EventKind::Update ||
              chosen->kind == EventKind::Unlock;
  return current_;
}

}  // namespace heddle
