#include "analysis/solver/z3/z3_watch.h"

#include <algorithm>
#include <chrono>
#include <stop_token>

namespace heddle {

namespace {
constexpr std::chrono::milliseconds kMemoryPoll{10};  // how far a query can run past its cap
constexpr std::chrono::milliseconds kRepeat{2};       // between interrupts that Z3 may have missed

bool watchesMemory(const Budget& budget) {
  return budget.memoryLimit() != 0 || budget.hasMemoryFlag();
}
}  // namespace

StopReason z3ReasonToStop(const Budget& budget) {
  if (budget.stopToken().stop_requested()) return StopReason::Cancelled;
  if (budget.deadline() && Budget::Clock::now() >= *budget.deadline()) return StopReason::Deadline;
  if (budget.memoryFull()) return StopReason::Memory;
  if (budget.memoryLimit() != 0 && Z3_get_estimated_alloc_size() > budget.memoryLimit())
    return StopReason::Memory;
  return StopReason::None;
}

Z3Watch::Z3Watch(z3::context& context, const Budget& budget) : context_(context), budget_(budget) {
  const bool needed = budget.stopToken().stop_possible() || budget.deadline() || watchesMemory(budget);
  if (needed) thread_ = std::thread([this] { run(); });
}

Z3Watch::~Z3Watch() {
  finish();
}

StopReason Z3Watch::finish() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  return reason_;
}

void Z3Watch::run() {
  const std::stop_callback onStop(budget_.stopToken(), [this] {
    const std::lock_guard lock(mutex_);
    stopSeen_ = true;
    wake_.notify_all();
  });
  std::unique_lock lock(mutex_);
  while (!done_) {
    reason_ = z3ReasonToStop(budget_);
    if (reason_ != StopReason::None) break;
    auto until = Budget::Clock::now() + std::chrono::hours(1);
    if (watchesMemory(budget_)) until = Budget::Clock::now() + kMemoryPoll;
    if (budget_.deadline()) until = std::min(until, *budget_.deadline());
    wake_.wait_until(lock, until, [this] { return done_ || stopSeen_; });
  }
  while (!done_) {
    context_.interrupt();
    wake_.wait_for(lock, kRepeat, [this] { return done_; });
  }
}

}  // namespace heddle
