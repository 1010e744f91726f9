// WorkerPool: processes that explore for the server, so that a crash of an exploration, or one that does not
// stop, ends its process and not the editor's session.
//
// A process is made when none is idle and kept afterwards, because one that knows a file answers faster the
// next time; one that has become large is ended instead. Each has the niceness of the thread that asked for
// it.
//
// The process must ignore SIGPIPE: a worker may be gone when it is written to.
//
// Threading: all members may be called from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "server/engine.h"
#include "server/worker/frame.h"

namespace heddle {

class WorkerPool {
 public:
  /// `command`: the program and its arguments.
  explicit WorkerPool(std::vector<std::string> command);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// How a request ended: with the answer, or with why there is none, as one line.
  struct Outcome {
    std::optional<std::string> body;
    std::string problem;
  };

  /// Sends one request, about the file at `path`, and hears the answers before the last. Tells the worker
  /// when the budget wants to stop; one that does not obey within some seconds is killed.
  Outcome ask(FrameKind kind, const std::string& body, const std::string& path, const Budget& budget,
              const std::function<void(const Frame&)>& hear);

  /// Makes one process, so that the first request need not wait for it.
  void warmUp();
  std::vector<int> processes() const;
  uint64_t residentMemory() const;  // of all processes, bytes

 private:
  struct Worker;
  std::unique_ptr<Worker> take(const std::string& path);
  void giveBack(std::unique_ptr<Worker> worker, const std::string& path);
  std::unique_ptr<Worker> spawn();
  void forget(const Worker& worker);  // it is not busy any more

  const std::vector<std::string> command_;
  mutable std::mutex mutex_;  // guards all below
  std::list<std::unique_ptr<Worker>> idle_;
  std::vector<int> busy_;  // process ids
};

/// Has one request answered by some worker, as WorkerPool::ask; called from any thread.
using Ask =
    std::function<WorkerPool::Outcome(FrameKind kind, const std::string& body, const std::string& path,
                                      const Budget& budget, const std::function<void(const Frame&)>& hear)>;

/// `local`, except that everything that runs the user's program is asked of workers.
Engine engineThrough(Engine local, const Ask& ask);
/// `engine`, except that the looks at what a file offers are asked of workers, too.
Engine lookingThrough(Engine engine, const Ask& ask);

/// `local`, except that everything that runs the user's program is done by processes of the pool.
Engine engineInWorkers(Engine local, std::shared_ptr<WorkerPool> pool);

}  // namespace heddle
