#include "analysis/support/memory_watch.h"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <thread>

namespace heddle {

uint64_t residentMemory() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (!file) return 0;
  unsigned long long size = 0, resident = 0;
  const int read = std::fscanf(file, "%llu %llu", &size, &resident);
  std::fclose(file);
  return read == 2 ? resident * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

std::shared_ptr<const std::atomic<bool>> watchMemory(uint64_t limit) {
  struct Watch {
    std::atomic<bool> full = false;
    std::jthread thread;
  };
  const auto watch = std::make_shared<Watch>();
  watch->thread = std::jthread([full = &watch->full, limit](std::stop_token stop) {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    while (!stop.stop_requested() && residentMemory() <= limit)
      changed.wait_for(lock, stop, std::chrono::milliseconds(20), [] { return false; });
    if (stop.stop_requested()) return;
    full->store(true, std::memory_order_relaxed);
    full->notify_all();
  });
  return {watch, &watch->full};
}

}  // namespace heddle
