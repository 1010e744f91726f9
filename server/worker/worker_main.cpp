#include "server/worker/worker_main.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>

#include "server/worker/frame.h"
#include "server/worker/wire.h"

namespace heddle {
namespace {

/// Requests as they come, and the stop of the one that runs.
class Inbox {
 public:
  /// Reads until the server is gone; then nothing that runs is wanted any more.
  void read(int input) {
    while (std::optional<Frame> frame = readFrame(input)) {
      const std::lock_guard lock(mutex_);
      if (frame->kind == FrameKind::Stop)
        stop_.request_stop();
      else
        frames_.push_back(std::move(*frame));
      changed_.notify_one();
    }
    // A run that does not look at its budget would keep a process behind that nobody sees.
    _exit(0);
  }

  /// `stop` belongs to this request alone.
  Frame next(std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !frames_.empty(); });
    Frame frame = std::move(frames_.front());
    frames_.pop_front();
    stop_ = std::stop_source();
    stop = stop_.get_token();
    return frame;
  }

 private:
  std::mutex mutex_;  // guards all
  std::condition_variable changed_;
  std::deque<Frame> frames_;
  std::stop_source stop_;
};

Budget budgetOf(const WireBudget& wire, std::stop_token stop) {
  Budget budget;
  if (wire.milliseconds >= 0)
    budget = Budget::forDuration(std::chrono::milliseconds(std::max<int64_t>(1, wire.milliseconds)));
  budget.withSteps(wire.steps).withMemory(wire.memory).withStop(std::move(stop));
  return budget;
}

/// The body of the answer; nullopt: the request is none.
std::optional<std::string> answer(const Engine& engine, const Frame& request, int output,
                                  std::stop_token stop) {
  Snapshot snapshot;
  Options options;
  WireBudget budget;
  switch (request.kind) {
    case FrameKind::Analyze: {
      if (!wire::unpack(request.body, snapshot, options, budget)) return std::nullopt;
      const Observer observer{
          [&](const Finding& finding) { writeFrame(output, FrameKind::Finding, wire::packed(finding)); },
          [&](const Progress& progress) { writeFrame(output, FrameKind::Progress, wire::packed(progress)); }};
      return wire::packed(engine.analyze(snapshot, options, budgetOf(budget, stop), observer));
    }
    case FrameKind::Replay: {
      std::string schedule;
      if (!wire::unpack(request.body, snapshot, options, budget, schedule)) return std::nullopt;
      return wire::packed(engine.replay(snapshot, options, schedule, budgetOf(budget, stop)));
    }
    case FrameKind::ReplayEach: {
      std::vector<std::string> schedules;
      if (!wire::unpack(request.body, snapshot, options, budget, schedules)) return std::nullopt;
      engine.replayEach(snapshot, options, schedules, budgetOf(budget, stop),
                        [&](size_t index, const ReplayResult& result) {
                          writeFrame(output, FrameKind::Seen, wire::packed(index, result));
                        });
      return "";
    }
    case FrameKind::Repair: {
      Report report;
      std::string only;
      if (!wire::unpack(request.body, snapshot, options, budget, report, only)) return std::nullopt;
      return wire::packed(engine.repair(snapshot, options, report, only, budgetOf(budget, stop)));
    }
    case FrameKind::Reproduce: {
      std::string schedule;
      Property kind{};
      if (!wire::unpack(request.body, snapshot, options, budget, schedule, kind)) return std::nullopt;
      return wire::packed(engine.reproducer(snapshot, options, schedule, kind, budgetOf(budget, stop)));
    }
    case FrameKind::Constrain: {
      if (!wire::unpack(request.body, snapshot, options, budget)) return std::nullopt;
      return wire::packed(engine.constrain(snapshot, options, budgetOf(budget, stop)));
    }
    case FrameKind::Enforced: {
      Prefix prefix;
      if (!wire::unpack(request.body, snapshot, options, prefix.constraints)) return std::nullopt;
      return wire::packed(engine.enforced(snapshot, options, prefix));
    }
    case FrameKind::Cover: {
      if (!wire::unpack(request.body, snapshot, options, budget)) return std::nullopt;
      return wire::packed(
          engine.cover(snapshot, options, budgetOf(budget, stop), [&](const CoverProgress& progress) {
            writeFrame(output, FrameKind::Progress, wire::packed(progress));
          }));
    }
    case FrameKind::Harnesses: {
      std::string entry;
      if (!wire::unpack(request.body, snapshot, entry, budget)) return std::nullopt;
      return wire::packed(engine.harnesses(snapshot, entry, budgetOf(budget, stop)));
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

int runWorker(const Engine& engine, int input, int output) {
  Inbox inbox;
  std::thread([&] { inbox.read(input); }).detach();
  while (true) {
    std::stop_token stop;
    const Frame request = inbox.next(stop);
    const std::optional<std::string> body = answer(engine, request, output, stop);
    if (!body || !writeFrame(output, FrameKind::Done, *body)) _exit(1);  // the reader still uses the inbox
  }
}

}  // namespace heddle
