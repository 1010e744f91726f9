#include "server/mpi/rank_pool.h"

#include <algorithm>
#include <cstdio>
#include <ostream>

#include "server/render/duration_text.h"
#include "server/worker/wire.h"

namespace heddle {
namespace {

constexpr std::chrono::milliseconds kLook{20};   // between looks at the stop of a request
constexpr std::chrono::seconds kSilence{5};      // of a rank that is taken for dead
constexpr std::chrono::seconds kLastLetters{2};  // for the last letters
constexpr std::chrono::seconds kTell{5};         // between lines about how far all are
constexpr unsigned kMostDeaths = 2;              // of ranks on one request
constexpr size_t kMostShown = 4;                 // ranks in such a line

std::string nameOf(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

/// What a request waits for; on the stack of who asks.
struct RankPool::Waiting {
  uint64_t request = 0;
  std::deque<Frame> frames;
  std::optional<WorkerPool::Outcome> outcome;
};

struct RankPool::Rank {
  bool isKnown = false;    // it has said hello, and is of this build
  bool isForeign = false;  // it is of another one
  bool isLost = false;     // it is silent
  Clock::time_point heard;
  uint64_t busyWith = 0;       // the request that it works on, wanted or not; 0: none
  Waiting* waiting = nullptr;  // who wants it; none: a request that another rank does by now
  std::string path;
  Clock::time_point since;
  Progress progress;
};

RankPool::RankPool(int size, std::shared_ptr<WorkerPool> own, std::string build, std::ostream& err)
    : own_(std::move(own)), build_(std::move(build)), err_(err), ranks_(static_cast<size_t>(size)) {
  for (Rank& rank : ranks_) rank.heard = begun_;
  ranks_.front().isKnown = true;
}

RankPool::~RankPool() = default;

/// A free rank for the request, which is numbered now.
int RankPool::take(const std::string& path, Waiting* waiting) {
  std::unique_lock lock(mutex_);
  const auto isFree = [](const Rank& rank) { return rank.isKnown && !rank.isLost && rank.busyWith == 0; };
  auto chosen = ranks_.end();
  changed_.wait(lock, [&] {
    chosen = std::find_if(ranks_.begin(), ranks_.end(), isFree);
    return chosen != ranks_.end();
  });
  waiting->request = ++requests_;
  waiting->frames.clear();
  waiting->outcome.reset();
  chosen->busyWith = waiting->request;
  chosen->waiting = waiting;
  chosen->path = path;
  chosen->since = Clock::now();
  chosen->progress = Progress();
  return static_cast<int>(chosen - ranks_.begin());
}

/// Rank 0 is free again; another one is when its outcome comes.
void RankPool::giveBack(int rank) {
  const std::lock_guard lock(mutex_);
  Rank& own = ranks_[static_cast<size_t>(rank)];
  own.busyWith = 0;
  own.waiting = nullptr;
  ++done_;
  changed_.notify_all();
}

WorkerPool::Outcome RankPool::ask(FrameKind kind, const std::string& body, const std::string& path,
                                  const Budget& budget, const std::function<void(const Frame&)>& hear) {
  Letter request;
  request.kind = Letter::Kind::Request;
  request.frame = kind;
  request.path = path;
  request.body = body;
  if (budget.deadline())
    request.milliseconds = std::max<int64_t>(
        1, std::chrono::duration_cast<std::chrono::milliseconds>(*budget.deadline() - Clock::now()).count());
  for (unsigned deaths = 0; deaths < kMostDeaths; ++deaths) {
    Waiting waiting;
    const int rank = take(path, &waiting);
    if (rank == 0) {
      Budget whole =
          Budget::forDuration(std::chrono::milliseconds(std::max<int64_t>(0, request.milliseconds)));
      whole.withStop(budget.stopToken());
      WorkerPool::Outcome outcome = own_->ask(kind, body, path, whole, [&](const Frame& frame) {
        noteProgress(0, frame);
        hear(frame);
      });
      giveBack(0);
      return outcome;
    }
    if (std::optional<WorkerPool::Outcome> outcome =
            askRank(rank, request, waiting, budget.stopToken(), hear))
      return std::move(*outcome);
  }
  return {std::nullopt, "the exploration was given up: " + std::to_string(kMostDeaths) +
                            " ranks died on it; what it had found until then is kept"};
}

/// nullopt: the rank is lost.
std::optional<WorkerPool::Outcome> RankPool::askRank(int rank, const Letter& request, Waiting& waiting,
                                                     const std::stop_token& stop,
                                                     const std::function<void(const Frame&)>& hear) {
  std::unique_lock lock(mutex_);
  Rank& asked = ranks_[static_cast<size_t>(rank)];
  outbox_.emplace_back(rank, request);
  outbox_.back().second.request = waiting.request;
  posted_.notify_one();
  bool isStopped = false;
  while (true) {
    changed_.wait_for(
        lock, kLook, [&] { return !waiting.frames.empty() || waiting.outcome || asked.waiting != &waiting; });
    std::deque<Frame> frames;
    frames.swap(waiting.frames);
    if (!frames.empty()) {
      lock.unlock();
      for (const Frame& frame : frames) hear(frame);
      lock.lock();
      continue;
    }
    if (waiting.outcome) return std::move(waiting.outcome);
    if (asked.waiting != &waiting) return std::nullopt;
    if (!isStopped && stop.stop_requested()) {
      Letter letter;
      letter.kind = Letter::Kind::Stop;
      letter.request = waiting.request;
      outbox_.emplace_back(rank, std::move(letter));
      posted_.notify_one();
      isStopped = true;
    }
  }
}

void RankPool::noteProgress(int rank, const Frame& frame) {
  Progress progress;
  if (frame.kind != FrameKind::Progress || !wire::unpack(frame.body, progress)) return;
  const std::lock_guard lock(mutex_);
  ranks_[static_cast<size_t>(rank)].progress = progress;
}

void RankPool::beQuiet() {
  const std::lock_guard lock(mutex_);
  isQuiet_ = true;
}

void RankPool::finish() {
  const std::lock_guard lock(mutex_);
  isFinished_ = true;
  posted_.notify_one();
}

bool RankPool::serve(Mailbox& mailbox) {
  Clock::time_point beaten{}, told = begun_;
  while (true) {
    std::deque<std::pair<int, Letter>> letters;
    const Clock::time_point now = Clock::now();
    {
      std::unique_lock lock(mutex_);
      posted_.wait_for(lock, kTick, [&] { return isFinished_ || !outbox_.empty(); });
      if (isFinished_) break;
      letters.swap(outbox_);
      if (now - beaten >= kBeat) {
        beaten = now;
        for (size_t i = 1; i < ranks_.size(); ++i)
          if (ranks_[i].isKnown && !ranks_[i].isLost) letters.emplace_back(i, Letter());
      }
    }
    for (const auto& [rank, letter] : letters)
      if (!mailbox.send(rank, letter)) {
        Letter refused;
        refused.kind = Letter::Kind::Outcome;
        refused.request = letter.request;
        refused.problem = "the program is larger than a message can be; explore it with heddle itself";
        handle(rank, std::move(refused));
      }
    while (std::optional<Mailbox::Received> received = mailbox.receive()) handle(std::move(*received));
    lookForDead();
    if (now - told >= kTell) {
      told = now;
      tellProgress();
    }
  }
  return tellEnd(mailbox);
}

bool RankPool::tellEnd(Mailbox& mailbox) {
  std::vector<int> there;
  {
    const std::lock_guard lock(mutex_);
    for (size_t i = 1; i < ranks_.size(); ++i)
      if (!ranks_[i].isLost) there.push_back(static_cast<int>(i));
  }
  Letter letter;
  letter.kind = Letter::Kind::End;
  letter.isWhole = there.size() + 1 == ranks_.size();
  for (const int rank : there) mailbox.send(rank, letter);
  const Clock::time_point until = Clock::now() + kLastLetters;
  const auto isSent = [&](int rank) { return mailbox.isSentTo(rank); };
  while (Clock::now() < until) {
    while (mailbox.receive()) continue;
    if (std::all_of(there.begin(), there.end(), isSent)) break;
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kTick);
  }
  return letter.isWhole;
}

void RankPool::handle(Mailbox::Received received) {
  if (received.letter) return handle(received.from, std::move(*received.letter));
  Letter foreign;
  foreign.kind = Letter::Kind::Hello;
  foreign.body = "another build";
  handle(received.from, std::move(foreign));
}

void RankPool::handle(int from, Letter letter) {
  const std::lock_guard lock(mutex_);
  Rank& rank = ranks_[static_cast<size_t>(from)];
  rank.heard = Clock::now();
  if (rank.isLost && rank.isKnown) {
    rank.isLost = false;
    if (rank.busyWith != 0) {  // with what another rank does by now
      Letter stop;
      stop.kind = Letter::Kind::Stop;
      stop.request = rank.busyWith;
      outbox_.emplace_back(from, std::move(stop));
    }
    err_ << "heddle: rank " + std::to_string(from) + " is heard again, and takes part\n" << std::flush;
    changed_.notify_all();
  }
  switch (letter.kind) {
    case Letter::Kind::Hello:
      rank.isKnown = letter.body == build_;
      if (!rank.isKnown && !rank.isForeign)
        err_ << "heddle: warning: rank " + std::to_string(from) +
                    " is another build of heddle-mpi and takes no part; install the same one on every node\n"
             << std::flush;
      rank.isForeign = !rank.isKnown;
      changed_.notify_all();
      return;
    case Letter::Kind::Heard: {
      if (letter.request != rank.busyWith || rank.waiting == nullptr || !letter.body) return;
      Frame frame{letter.frame, std::move(*letter.body)};
      if (frame.kind == FrameKind::Progress) wire::unpack(frame.body, rank.progress);
      rank.waiting->frames.push_back(std::move(frame));
      changed_.notify_all();
      return;
    }
    case Letter::Kind::Outcome:
      if (letter.request != rank.busyWith) return;
      if (rank.waiting != nullptr) {
        rank.waiting->outcome = {std::move(letter.body), std::move(letter.problem)};
        ++done_;
      }
      rank.busyWith = 0;
      rank.waiting = nullptr;
      changed_.notify_all();
      return;
    default:
      return;  // Alive: it has been heard
  }
}

void RankPool::lookForDead() {
  const std::lock_guard lock(mutex_);
  for (size_t i = 1; i < ranks_.size(); ++i) {
    Rank& rank = ranks_[i];
    if (rank.isLost || Clock::now() - rank.heard < kSilence) continue;
    rank.isLost = true;
    std::string line = "heddle: rank " + std::to_string(i) + " is dead or cannot be reached";
    if (rank.waiting != nullptr) line += "; " + nameOf(rank.path) + " is given to another rank";
    err_ << line + '\n' << std::flush;
    rank.waiting = nullptr;
    std::erase_if(outbox_, [&](const auto& entry) {
      if (entry.first != static_cast<int>(i)) return false;
      if (entry.second.kind == Letter::Kind::Request) rank.busyWith = 0;  // it never heard of it
      return true;
    });
    changed_.notify_all();
  }
}

void RankPool::tellProgress() {
  const std::lock_guard lock(mutex_);
  if (isQuiet_) return;
  const Clock::time_point now = Clock::now();
  std::vector<size_t> busy;
  for (size_t i = 0; i < ranks_.size(); ++i)
    if (ranks_[i].waiting != nullptr) busy.push_back(i);
  if (busy.empty()) return;
  std::stable_sort(busy.begin(), busy.end(),
                   [&](size_t a, size_t b) { return ranks_[a].since < ranks_[b].since; });
  std::string line = "heddle: " + secondsText(now - begun_, 1) + ": " + std::to_string(done_) + " done, " +
                     std::to_string(busy.size()) + " under way";
  for (size_t n = 0; n < std::min(busy.size(), kMostShown); ++n) {
    const Rank& rank = ranks_[busy[n]];
    line += (n == 0 ? ": rank " : ", rank ") + std::to_string(busy[n]) + ' ' + nameOf(rank.path) + " (" +
            secondsText(now - rank.since, 1);
    if (rank.progress.paths != 0)
      line += ", " + std::to_string(rank.progress.paths) + " paths, " +
              std::to_string(rank.progress.openLeaves) + " open";
    line += ')';
  }
  if (busy.size() > kMostShown) line += ", and " + std::to_string(busy.size() - kMostShown) + " more";
  err_ << line + '\n' << std::flush;
}

}  // namespace heddle
