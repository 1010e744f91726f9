#include "server/schedule/memory_watch.h"

#include <utility>

#include "analysis/support/memory_watch.h"

namespace heddle {
namespace {

constexpr std::chrono::milliseconds kBetween{200};

}  // namespace

MemoryWatch::MemoryWatch(const boost::asio::any_io_executor& loop, Callbacks callbacks)
    : timer_(loop), callbacks_(std::move(callbacks)) {}

MemoryWatch::~MemoryWatch() = default;

void MemoryWatch::begin() {
  if (std::exchange(ticking_, true)) return;
  look();
}

void MemoryWatch::look() {
  const uint64_t limit = callbacks_.limit();
  if (limit != 0 && (residentMemory() + (callbacks_.more ? callbacks_.more() : 0)) >> 20 > limit)
    callbacks_.over();
  ticking_ = callbacks_.busy();
  if (!ticking_) return;
  timer_.expires_after(kBetween);
  timer_.async_wait([this, alive = std::weak_ptr(alive_)](boost::system::error_code error) {
    if (!error && !alive.expired()) look();
  });
}

}  // namespace heddle
