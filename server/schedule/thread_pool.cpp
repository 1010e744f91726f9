#include "server/schedule/thread_pool.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace heddle {
namespace {

/// sched_setattr(2), first version; glibc's headers have neither it nor room for the kernel's declaration.
struct SchedulingAttributes {
  uint32_t size = sizeof(SchedulingAttributes);
  uint32_t policy = 0;
  uint64_t flags = 0x08;  // SCHED_FLAG_KEEP_POLICY
  int32_t nice = 0;
  uint32_t priority = 0;
  uint64_t runtime = 0;  // ns; of a thread without deadline: its slice
  uint64_t deadline = 0;
  uint64_t period = 0;
};

/// Workers compute for long: whoever wakes up beside them (the loop that a keystroke waits for, the editor
/// itself) is to go first. Since Linux 6.6 a thread keeps its core to the end of its slice, whatever its
/// niceness; since 6.12 not against threads of shorter slices. So a worker asks for the longest slice there
/// is; its share of the processor stays. On Linux this and niceness are of threads; that either may fail
/// changes nothing but who waits for whom.
void standBack(int niceness) {
  const long thread = syscall(SYS_gettid);
  if (niceness != 0) setpriority(PRIO_PROCESS, static_cast<id_t>(thread), niceness);
  SchedulingAttributes attributes;
  attributes.nice = getpriority(PRIO_PROCESS, static_cast<id_t>(thread));
  attributes.runtime = std::chrono::nanoseconds(std::chrono::milliseconds(100)).count();
  syscall(SYS_sched_setattr, thread, &attributes, 0);
}

}  // namespace

ThreadPool::ThreadPool(unsigned threads, int niceness) : niceness_(niceness) {
  for (unsigned i = 0; i < std::max(1U, threads); i++) addThread();
}

void ThreadPool::addThread() {
  const std::lock_guard lock(mutex_);
  if (!closing_) threads_.emplace_back([this] { serve(); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    waiting_.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    if (closing_) return;
    waiting_.push_back(std::move(work));
  }
  changed_.notify_one();
}

void ThreadPool::serve() {
  standBack(niceness_);
  for (;;) {
    std::function<void()> work;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
      if (closing_) return;
      work = std::move(waiting_.front());
      waiting_.pop_front();
    }
    work();
  }
}

}  // namespace heddle
