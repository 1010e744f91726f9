// Independent pieces of work, done by several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace heddle {

/// The work for piece i, done by a worker. Workers are numbered from 0, which is the thread that asks.
using TurnWork = std::function<void(unsigned worker, size_t i)>;

/// Pieces of work, taken in order by helpers in the background, and by the caller once it has nothing else to
/// do. Where the system gives no more threads, fewer do the work.
///
/// Threading: belongs to one thread, which its helpers do not outlive. They sleep between pause() or finish()
/// and the next begin().
class BackgroundTurns {
 public:
  /// `workers`: with the caller; at least one. Threads are made at the first begin().
  explicit BackgroundTurns(unsigned workers) : workers_(workers) {}
  ~BackgroundTurns();
  BackgroundTurns(const BackgroundTurns&) = delete;
  BackgroundTurns& operator=(const BackgroundTurns&) = delete;

  /// work(worker, i) once for each i below `count`, beginning now. What it refers to must stay as it is until
  /// the next call. Nothing may be under way.
  void begin(size_t count, TurnWork work);
  /// Returns when no helper works: pieces that were begun are done, the others are left for finish().
  void pause();
  /// Returns when all pieces are done.
  void finish();

 private:
  /// `answered`: the value of `calls_` before this helper was made.
  void help(unsigned worker, uint32_t answered);
  void takeTurns(unsigned worker);
  void wake();

  const unsigned workers_;
  TurnWork work_;
  size_t count_ = 0;
  std::atomic<size_t> next_ = 0;  // the first piece that nobody has begun
  std::atomic<bool> isPaused_ = true;
  std::atomic<bool> isOver_ = false;
  std::atomic<uint32_t> calls_ = 0;    // how often helpers were called to work
  std::atomic<uint32_t> working_ = 0;  // helpers that have not answered the last call in full
  std::vector<std::jthread> helpers_;
};

/// Calls work(worker, i) once for each i below `count`; returns when all is done. `workers`: at least one.
void inParallel(unsigned workers, size_t count, const TurnWork& work);

}  // namespace heddle
