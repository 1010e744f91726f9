#include "analysis/support/in_parallel.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace heddle {

namespace {

// What others do next takes less than to fall asleep and to be woken, most times.
constexpr unsigned kLooks = 4'000;

/// Returns when the value is another one.
uint32_t awaitChange(const std::atomic<uint32_t>& value, uint32_t old) {
  for (unsigned i = 0; i < kLooks; ++i)
    if (const uint32_t now = value.load(std::memory_order_acquire); now != old) return now;
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

}  // namespace

BackgroundTurns::~BackgroundTurns() {
  pause();
  isOver_ = true;
  ++calls_;
  calls_.notify_all();
}

void BackgroundTurns::begin(size_t count, TurnWork work) {
  work_ = std::move(work);
  count_ = count;
  next_ = 0;
  try {
    while (helpers_.size() + 1 < workers_)
      helpers_.emplace_back([this, worker = static_cast<unsigned>(helpers_.size() + 1),
                             answered = calls_.load()] { help(worker, answered); });
  } catch (const std::system_error&) {
    // Those that there are, and the caller, do it all.
  }
  wake();
}

void BackgroundTurns::wake() {
  isPaused_ = false;
  working_ = static_cast<uint32_t>(helpers_.size());
  ++calls_;
  calls_.notify_all();
}

void BackgroundTurns::help(unsigned worker, uint32_t answered) {
  for (;;) {
    answered = awaitChange(calls_, answered);
    if (isOver_) return;
    takeTurns(worker);
    if (--working_ == 0) working_.notify_all();
  }
}

void BackgroundTurns::takeTurns(unsigned worker) {
  while (!isPaused_) {
    const size_t i = next_++;
    if (i >= count_) return;
    work_(worker, i);
  }
}

void BackgroundTurns::pause() {
  isPaused_ = true;
  for (uint32_t left = working_; left != 0;) left = awaitChange(working_, left);
}

void BackgroundTurns::finish() {
  if (isPaused_) wake();
  takeTurns(0);
  for (uint32_t left = working_; left != 0;) left = awaitChange(working_, left);
}

void inParallel(unsigned workers, size_t count, const TurnWork& work) {
  BackgroundTurns turns(static_cast<unsigned>(std::min<size_t>(workers, std::max<size_t>(count, 1))));
  turns.begin(count, work);
  turns.finish();
}

}  // namespace heddle
