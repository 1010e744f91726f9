#include "server/schedule/thread_pool.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace heddle {

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
  // On Linux priorities are of threads; that it may fail changes nothing but who waits for whom.
  if (niceness_ != 0) setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), niceness_);
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
