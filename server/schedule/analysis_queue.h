// AnalysisQueue: at most one exploration per file; the newest request wins.
//
// Life of a request: submit() stops the file's running exploration and takes the place of one that waits.
// When the stopped run has ended, the waiting request starts on the pool. Findings and progress come back as
// posts to the main loop. A superseded run's posts are dropped there, on the only thread that supersedes, so
// a listener never hears of an old version after it has asked for a new one.
//
// Threading: all members and the listener belong to the main loop. The engine's functions run on the pool.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/engine.h"
#include "server/schedule/file_texts.h"
#include "server/schedule/thread_pool.h"

namespace heddle {

struct AnalysisRequest {
  std::string key;  // names the file
  int64_t version = 0;
  Snapshot snapshot;  // without a command: the worker looks it up
  Options options;
  std::chrono::milliseconds budget{10'000};  // 0: none; counted from the start of the run
  std::optional<uint64_t> steps;
  /// Findings of the earlier text. Their schedules are run first, so that a bug that is still there is
  /// confirmed at once.
  std::vector<Finding> earlier;
  bool textFromDisk = false;  // the snapshot has a path but no text: it is not the open file
  bool background = false;    // with low priority
};

class AnalysisListener {
 public:
  virtual ~AnalysisListener() = default;
  virtual void onStarted(const AnalysisRequest& request) = 0;
  virtual void onFinding(const AnalysisRequest& request, const Finding& finding, const FileTexts& texts) = 0;
  virtual void onProgress(const AnalysisRequest& request, const Progress& progress) = 0;
  /// `commandProblem`: what is wrong with the compile database, or empty.
  virtual void onDone(const AnalysisRequest& request, const Report& report, const FileTexts& texts,
                      const std::string& commandProblem) = 0;
};

class AnalysisQueue {
 public:
  /// All must outlive the queue; the pool must be joined before the executor's context goes.
  /// `patience`: how long a stopped run may hold up the next one of its file.
  /// `background`: for requests that ask for it; null: all run on `pool`.
  AnalysisQueue(boost::asio::any_io_executor loop, ThreadPool& pool, Engine engine,
                AnalysisListener& listener, std::chrono::milliseconds patience = std::chrono::seconds(1),
                ThreadPool* background = nullptr);
  /// Stops every run; the listener hears nothing more of them.
  ~AnalysisQueue();
  AnalysisQueue(const AnalysisQueue&) = delete;
  AnalysisQueue& operator=(const AnalysisQueue&) = delete;

  void submit(AnalysisRequest request);
  /// Stops and forgets: the listener hears nothing more of this file.
  void drop(const std::string& key);
  /// The user's cancel: the run ends soon and is reported as what it is.
  void stop(const std::string& key);

  bool busy(const std::string& key) const { return files_.contains(key); }

 private:
  struct Run;
  struct File {
    std::shared_ptr<Run> running;
    std::optional<AnalysisRequest> waiting;
    std::unique_ptr<boost::asio::steady_timer> patience;  // while a request waits for a run to end
  };

  void start(AnalysisRequest request);
  void waitFor(const std::shared_ptr<Run>& run, File& file);
  void giveUpOn(const std::shared_ptr<Run>& run);
  void finish(const std::shared_ptr<Run>& run, const Report& report, const FileTexts& texts,
              const std::string& commandProblem);

  boost::asio::any_io_executor loop_;
  ThreadPool& poolOf(const AnalysisRequest& request) { return request.background ? background_ : pool_; }

  ThreadPool& pool_;
  ThreadPool& background_;
  std::shared_ptr<const Engine> engine_;
  AnalysisListener& listener_;
  std::chrono::milliseconds patience_;
  unsigned lost_ = 0;                     // workers busy with runs that were given up
  std::map<std::string, File> files_;     // with a run or a waiting request
  std::shared_ptr<AnalysisQueue*> self_;  // posts hold it weakly, so that late ones find nobody
};

}  // namespace heddle
