// Held: lets a test stop a worker at a known point, look, and let it go; no sleeps.
#pragma once

#include <condition_variable>
#include <mutex>

namespace heddle::testing {

class Notification {
 public:
  void notify() {
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return done_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
};

}  // namespace heddle::testing
