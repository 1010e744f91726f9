// NativeDesk: makes native programs, and finds constraints to run safely under and memory orders that can be
// weaker, on the pool and only on the user's command: a reproducer of a finding, constraints, a program that
// keeps to them. What it makes is never run here.
//
// Threading: main loop only; the work itself runs on the pool. Destroy it before the pool joins.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "analysis/repair/weaker_orders.h"
#include "server/engine.h"
#include "server/schedule/thread_pool.h"

namespace heddle {

class NativeDesk {
 public:
  NativeDesk(boost::asio::any_io_executor loop, ThreadPool& pool, Engine engine);
  ~NativeDesk();
  NativeDesk(const NativeDesk&) = delete;
  NativeDesk& operator=(const NativeDesk&) = delete;

  struct Request {
    Snapshot snapshot;          // without a command: the worker looks it up
    bool textFromDisk = false;  // of the snapshot's first file: it is not the open one
    Options options;
    std::chrono::milliseconds budget{10'000};  // 0: none
    /// The schedule and kind of the finding to reproduce; none: constraints are found.
    std::optional<std::pair<std::string, Property>> schedule;
    std::optional<Prefix> prefix;  // constraints that are known already
    bool relaxes = false;          // memory orders are found, and nothing else
    std::string output;            // empty: nothing is built
  };
  struct Outcome {
    std::string problem;  // empty: `output` is there, or constraints are
    NativeProgram program;
    Enforcement enforcement;
    WeakerOrders orders;
  };
  /// `done` is called once, from the loop; never when this is gone by then.
  using Done = std::function<void(const Outcome&)>;

  bool canReproduce() const { return engine_->reproducer && engine_->build; }
  bool canConstrain() const { return engine_->constrain && engine_->enforced && engine_->build; }
  void start(Request request, Done done);
  /// All that runs ends soon.
  void stop();

 private:
  boost::asio::any_io_executor loop_;
  ThreadPool& pool_;
  std::shared_ptr<const Engine> engine_;
  std::stop_source stop_;
  std::shared_ptr<NativeDesk*> self_;  // posts hold it weakly
};

}  // namespace heddle
