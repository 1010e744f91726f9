// CoverDesk: covers the branches of programs on the pool, only on the user's command; one run a file.
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

#include "server/engine.h"
#include "server/schedule/file_texts.h"
#include "server/schedule/thread_pool.h"

namespace heddle {

class CoverDesk {
 public:
  CoverDesk(boost::asio::any_io_executor loop, ThreadPool& pool, Engine engine);
  ~CoverDesk();
  CoverDesk(const CoverDesk&) = delete;
  CoverDesk& operator=(const CoverDesk&) = delete;

  struct Request {
    std::string key;            // names the file
    std::string path;           // of the document: what lies behind its text is a harness
    size_t lines = 0;           // of the document
    Snapshot snapshot;          // without a command: the worker looks it up
    bool textFromDisk = false;  // of the snapshot's first file: it is not the open one
    Options options;
    std::chrono::milliseconds budget{10'000};  // 0: none
  };
  struct Outcome {
    CoverReport report;
    FileTexts texts;  // of the other files that it names
  };
  /// Called once, from the loop. Null: given up, because the document changed or the session ended.
  using Done = std::function<void(const Outcome*)>;

  bool available() const { return static_cast<bool>(engine_->cover); }
  /// A run of the same file that is still going is given up. `progress` is called from the loop.
  void start(Request request, CoverObserver progress, Done done);
  bool runs(const std::string& key) const { return jobs_.contains(key); }
  /// The run ends soon, with what it has.
  void stop(const std::string& key);
  /// Gives the run up.
  void drop(const std::string& key);

 private:
  struct Job {
    std::stop_source stop;
    CoverObserver progress;
    Done done;
  };

  void finish(const std::string& key, const std::shared_ptr<Job>& job, const Outcome& outcome);

  boost::asio::any_io_executor loop_;
  ThreadPool& pool_;
  std::shared_ptr<const Engine> engine_;
  std::map<std::string, std::shared_ptr<Job>> jobs_;  // by file
  std::shared_ptr<CoverDesk*> self_;                  // posts hold it weakly
};

}  // namespace heddle
