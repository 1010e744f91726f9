// FixDesk: finds verified fixes on the pool, on request only, and keeps them for the version of the document
// that they were made for.
//
// Threading: main loop only; the work itself runs on the pool. Destroy it before the pool joins.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "server/engine.h"
#include "server/schedule/thread_pool.h"

namespace heddle {

/// What was found for one finding. Immutable.
struct Fixes {
  Snapshot snapshot;  // that the patches apply to
  std::string finding;
  bool stillThere = false;   // the finding was found again before it was to be repaired
  bool failsAlways = false;  // on every schedule with its inputs
  RepairResult result;
};

class FixDesk {
 public:
  /// Null: given up, because the document changed or the session ended.
  using Done = std::function<void(const std::shared_ptr<const Fixes>&)>;

  FixDesk(boost::asio::any_io_executor loop, ThreadPool& pool, Engine engine);
  ~FixDesk();
  FixDesk(const FixDesk&) = delete;
  FixDesk& operator=(const FixDesk&) = delete;

  struct Request {
    std::string key;  // names the file
    int64_t version = 0;
    Snapshot snapshot;          // without a command: the worker looks it up
    bool textFromDisk = false;  // of the snapshot's first file: it is not the open one
    size_t added = 0;           // bytes of a harness behind the document's text
    std::string finding;
    std::optional<Report> report;  // of this very text; without it, or its accesses, it is explored first
    Options options;
    std::chrono::milliseconds budget{10'000};  // 0: none
  };

  /// False: this engine has no repair.
  bool available() const { return static_cast<bool>(engine_->repair); }
  /// Null: not asked for, or not done yet.
  std::shared_ptr<const Fixes> find(const std::string& key, int64_t version,
                                    const std::string& finding) const;
  /// `done` is called once, from the loop. A request that is already running gets one more listener.
  void start(Request request, Done done);
  /// Stops and forgets all that belongs to the file.
  void drop(const std::string& key);

 private:
  struct Job {
    int64_t version = 0;
    std::stop_source stop;
    std::vector<Done> waiting;
    std::shared_ptr<const Fixes> fixes;  // null: running
  };
  using Jobs = std::map<std::string, std::shared_ptr<Job>>;  // by finding

  void finish(const std::string& key, const std::shared_ptr<Job>& job, std::shared_ptr<const Fixes> fixes);

  boost::asio::any_io_executor loop_;
  ThreadPool& pool_;
  std::shared_ptr<const Engine> engine_;
  std::map<std::string, Jobs> files_;
  std::shared_ptr<FixDesk*> self_;  // posts hold it weakly
};

}  // namespace heddle
