// RankPool: rank 0's view of the ranks of an MPI job, which explore for it, and of a worker process of its
// own, so that each rank has one request at a time. A rank that falls silent is taken for dead, and its
// request is done again by another one.
//
// Threading: ask(), finish() from any thread; serve() on the thread that owns the mailbox.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "server/mpi/mailbox.h"
#include "server/worker/worker_pool.h"

namespace heddle {

class RankPool {
 public:
  using Clock = std::chrono::steady_clock;

  /// `size`: of the job, rank 0 among them; `own`: makes rank 0's worker; `build`: what every rank must be;
  /// `err` is told which rank died, and how far all are.
  RankPool(int size, std::shared_ptr<WorkerPool> own, std::string build, std::ostream& err);
  ~RankPool();
  RankPool(const RankPool&) = delete;
  RankPool& operator=(const RankPool&) = delete;

  /// As WorkerPool::ask: waits for a rank that is free, and for its answer. A request whose rank dies starts
  /// again and has its whole time; what was heard of it before is heard again.
  WorkerPool::Outcome ask(FrameKind kind, const std::string& body, const std::string& path,
                          const Budget& budget, const std::function<void(const Frame&)>& hear);
  /// From now on no line tells how far all are.
  void beQuiet();
  /// Ends serve().
  void finish();

  /// Carries letters until finish(), and tells the ranks to end then. False: some rank was lost, or was never
  /// there.
  bool serve(Mailbox& mailbox);

 private:
  struct Rank;
  struct Waiting;
  int take(const std::string& path, Waiting* waiting);
  void giveBack(int rank);
  std::optional<WorkerPool::Outcome> askRank(int rank, const Letter& request, Waiting& waiting,
                                             const std::stop_token& stop,
                                             const std::function<void(const Frame&)>& hear);
  void handle(Mailbox::Received received);
  void handle(int from, Letter letter);
  void noteProgress(int rank, const Frame& frame);
  void lookForDead();
  void tellProgress();
  bool tellEnd(Mailbox& mailbox);

  const std::shared_ptr<WorkerPool> own_;
  const std::string build_;
  std::ostream& err_;
  const Clock::time_point begun_ = Clock::now();
  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::condition_variable posted_;
  std::deque<std::pair<int, Letter>> outbox_;
  std::vector<Rank> ranks_;
  uint64_t requests_ = 0;  // that were made
  size_t done_ = 0;
  bool isQuiet_ = false;
  bool isFinished_ = false;
};

}  // namespace heddle
