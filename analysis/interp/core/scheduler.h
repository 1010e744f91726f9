// Scheduler: decides which thread executes its pending event next. The machine executes and reports; the
// scheduler decides and knows nothing of the machine.
#pragma once

#include <optional>
#include <span>

#include "analysis/model/event.h"

namespace heddle {

/// A write that happened; `thread` kNone: what memory held at first.
struct WriteChoice {
  ThreadId thread = kNone;
  uint64_t operation = 0;  // as Event::operation
};

class Scheduler {
 public:
  virtual ~Scheduler() = default;

  /// Picks one of `enabled` (never empty; the pending events of the threads that can go on, in order of
  /// thread creation). nullopt ends the run early.
  virtual std::optional<ThreadId> next(std::span<const Event* const> enabled) = 0;

  /// Under a weak memory model: which of `writes` (never empty, the latest first) the event, an access with
  /// choices, reads or comes right after. An index that is too large ends the run early.
  virtual size_t choose(const Event& /*event*/, std::span<const WriteChoice> /*writes*/) { return 0; }
};

}  // namespace heddle
