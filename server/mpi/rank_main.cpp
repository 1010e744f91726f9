#include "server/mpi/rank_main.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <iostream>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLeastPause{200};  // between numbers of progress
constexpr std::chrono::seconds kSilenceOfFirst{15};    // of rank 0, which is taken for dead then
constexpr std::chrono::seconds kFirstSilence{60};      // until it is heard for the first time

/// What goes to rank 0, and the request that is to be done.
class Desk {
 public:
  void post(Letter letter) {
    const std::lock_guard lock(mutex_);
    outbox_.push_back(std::move(letter));
    posted_.notify_one();
  }
  /// What was posted; waits a moment for it.
  std::deque<Letter> posted() {
    std::unique_lock lock(mutex_);
    posted_.wait_for(lock, kTick, [&] { return !outbox_.empty(); });
    std::deque<Letter> letters;
    letters.swap(outbox_);
    return letters;
  }

  void give(Letter request) {
    const std::lock_guard lock(mutex_);
    request_ = std::move(request);
    stop_ = std::stop_source();
    given_.notify_one();
  }
  void stop(uint64_t request) {
    const std::lock_guard lock(mutex_);
    if (request_ && request_->request == request) stop_.request_stop();
    if (running_ == request) stop_.request_stop();
  }
  Letter next(std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    given_.wait(lock, [&] { return request_.has_value(); });
    Letter request = std::move(*request_);
    request_.reset();
    running_ = request.request;
    stop = stop_.get_token();
    return request;
  }

 private:
  std::mutex mutex_;  // guards all
  std::condition_variable posted_, given_;
  std::deque<Letter> outbox_;
  std::optional<Letter> request_;  // rank 0 gives one at a time
  uint64_t running_ = 0;
  std::stop_source stop_;  // of the request given last
};

/// Does requests as they come, for as long as the process lives.
void explore(Desk& desk, WorkerPool& pool) {
  while (true) {
    std::stop_token stop;
    const Letter request = desk.next(stop);
    Budget budget =
        Budget::forDuration(std::chrono::milliseconds(request.milliseconds < 0 ? 0 : request.milliseconds));
    budget.withStop(stop);
    Clock::time_point told{};
    const auto hear = [&](const Frame& frame) {
      const Clock::time_point now = Clock::now();
      if (frame.kind == FrameKind::Progress && now - told < kLeastPause) return;
      if (frame.kind == FrameKind::Progress) told = now;
      Letter heard;
      heard.kind = Letter::Kind::Heard;
      heard.request = request.request;
      heard.frame = frame.kind;
      heard.body = frame.body;
      desk.post(std::move(heard));
    };
    WorkerPool::Outcome outcome =
        pool.ask(request.frame, request.body.value_or(""), request.path, budget, hear);
    Letter answer;
    answer.kind = Letter::Kind::Outcome;
    answer.request = request.request;
    answer.body = std::move(outcome.body);
    answer.problem = std::move(outcome.problem);
    desk.post(std::move(answer));
  }
}

}  // namespace

void serveRank(Mailbox& mailbox, const std::shared_ptr<WorkerPool>& pool, const std::string& build) {
  static Desk desk;  // its explorer runs until the process ends
  std::thread([pool] { explore(desk, *pool); }).detach();
  Letter hello;
  hello.kind = Letter::Kind::Hello;
  hello.body = build;
  mailbox.send(0, hello);
  Clock::time_point beaten = Clock::now(), heard = beaten;
  std::chrono::seconds patience = kFirstSilence;
  while (true) {
    for (Letter& letter : desk.posted()) {
      if (mailbox.send(0, letter)) continue;
      letter.body.reset();
      letter.problem = "the report is larger than a message can be; explore the program with heddle itself";
      mailbox.send(0, letter);
    }
    const Clock::time_point now = Clock::now();
    while (std::optional<Mailbox::Received> received = mailbox.receive()) {
      heard = now;
      patience = kSilenceOfFirst;
      if (!received->letter) continue;  // rank 0 knows, and says so
      Letter& letter = *received->letter;
      if (letter.kind == Letter::Kind::End) Mailbox::leave(letter.isWhole, 0);
      if (letter.kind == Letter::Kind::Stop) desk.stop(letter.request);
      if (letter.kind == Letter::Kind::Request) desk.give(std::move(letter));
    }
    if (now - heard > patience) {
      std::cerr << "heddle: rank " + std::to_string(mailbox.rank()) +
                       " ends: rank 0 is dead or cannot be reached\n"
                << std::flush;
      Mailbox::leave(false, 1);
    }
    // What rank 0 does not take need not pile up.
    if (now - beaten >= kBeat && mailbox.isSentTo(0)) {
      beaten = now;
      mailbox.send(0, Letter());
    }
  }
}

}  // namespace heddle
