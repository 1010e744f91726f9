#include "analysis/support/in_parallel.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace heddle {

void inParallel(unsigned workers, size_t count, const std::function<void(unsigned, size_t)>& work) {
  std::atomic<size_t> next = 0;
  const auto takeTurns = [&](unsigned worker) {
    for (size_t i = next++; i < count; i = next++) work(worker, i);
  };
  std::vector<std::jthread> others;  // joined before `next` goes
  const size_t wanted = std::min<size_t>(workers, count);
  try {
    for (unsigned worker = 1; worker < wanted; ++worker) others.emplace_back(takeTurns, worker);
  } catch (const std::system_error&) {
    // Those that there are, and this one, do it all.
  }
  takeTurns(0);
}

}  // namespace heddle
