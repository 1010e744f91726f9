// ThreadPool: a fixed number of workers that own no data. What they compute travels back by the closures they
// run.
//
// Threading: run() from any thread. The destructor drops what has not begun and joins; ask running work to
// stop first.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace heddle {

class ThreadPool {
 public:
  /// `niceness`: how much the workers stand back, as in nice(1); 0: not at all.
  explicit ThreadPool(unsigned threads, int niceness = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// `work` must not throw.
  void run(std::function<void()> work);

  /// One more worker, in place of one that is lost to work that does not end.
  void addThread();

 private:
  void serve();

  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool closing_ = false;
  const int niceness_;
  std::vector<std::thread> threads_;
};

}  // namespace heddle
