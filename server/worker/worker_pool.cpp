#include "server/worker/worker_pool.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLook = 20;                         // milliseconds between looks at the budget
constexpr std::chrono::seconds kPatience{5};      // with a worker that was told to stop
constexpr uint64_t kLarge = uint64_t{512} << 20;  // bytes that an idle worker may keep
constexpr size_t kMostIdle = 4;

/// Resident bytes of a process; 0 where it is gone.
uint64_t residentMemoryOf(int process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  uint64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

std::string endOf(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const char* name = sigabbrev_np(signal);
    return std::string("crashed (") + (name != nullptr ? std::string("SIG") + name : std::to_string(signal)) +
           ")";
  }
  return "ended (exit code " + std::to_string(WEXITSTATUS(status)) + ")";
}

}  // namespace

struct WorkerPool::Worker {
  pid_t process = -1;
  int requests = -1, answers = -1;
  int niceness = 0;
  std::string path;  // of its last request

  ~Worker() {
    if (requests >= 0) close(requests);  // it ends by itself then
    if (answers >= 0) close(answers);
    if (process > 0) {
      kill(process, SIGKILL);  // nothing of it is wanted, and waiting for it would take its time
      waitpid(process, nullptr, 0);
    }
  }
  /// Of a worker that has gone: how.
  std::string reap() {
    int status = 0;
    kill(process, SIGTERM);  // it may have closed its stream only
    const bool known = waitpid(process, &status, 0) == process;
    process = -1;
    return known ? endOf(status) : "is gone";
  }
};

WorkerPool::WorkerPool(std::vector<std::string> command) : command_(std::move(command)) {}
WorkerPool::~WorkerPool() = default;

std::unique_ptr<WorkerPool::Worker> WorkerPool::spawn() {
  int requests[2], answers[2];
  if (pipe2(requests, O_CLOEXEC) != 0) return nullptr;
  if (pipe2(answers, O_CLOEXEC) != 0) {
    close(requests[0]);
    close(requests[1]);
    return nullptr;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, requests[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, answers[1], STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : command_) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  auto worker = std::make_unique<Worker>();
  const int failed =
      posix_spawn(&worker->process, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(requests[0]);
  close(answers[1]);
  worker->requests = requests[1];
  worker->answers = answers[0];
  worker->niceness = getpriority(PRIO_PROCESS, 0);
  if (failed != 0) {
    worker->process = -1;
    return nullptr;
  }
  return worker;
}

std::unique_ptr<WorkerPool::Worker> WorkerPool::take(const std::string& path) {
  const int niceness = getpriority(PRIO_PROCESS, 0);
  const std::lock_guard lock(mutex_);
  auto chosen = idle_.end();
  for (auto it = idle_.begin(); it != idle_.end(); ++it)
    if ((*it)->niceness == niceness && (chosen == idle_.end() || (*it)->path == path)) chosen = it;
  std::unique_ptr<Worker> worker;
  if (chosen == idle_.end()) {
    worker = spawn();
  } else {
    worker = std::move(*chosen);
    idle_.erase(chosen);
  }
  if (worker) busy_.push_back(worker->process);
  return worker;
}

void WorkerPool::giveBack(std::unique_ptr<Worker> worker, const std::string& path) {
  const bool large = worker->process > 0 && residentMemoryOf(worker->process) > kLarge;
  std::list<std::unique_ptr<Worker>> gone;  // ended outside the lock
  const std::lock_guard lock(mutex_);
  std::erase(busy_, worker->process);
  if (worker->process <= 0 || large) {
    gone.push_back(std::move(worker));
    return;
  }
  worker->path = path;
  idle_.push_back(std::move(worker));
  if (idle_.size() > kMostIdle) gone.splice(gone.end(), idle_, idle_.begin());
}

WorkerPool::Outcome WorkerPool::ask(FrameKind kind, const std::string& body, const std::string& path,
                                    const Budget& budget, const std::function<void(const Frame&)>& hear) {
  std::unique_ptr<Worker> worker;
  bool sent = false;
  // An idle worker may have died since: then nothing is lost, and another one takes the request.
  for (size_t tries = 0; !sent && tries <= kMostIdle; ++tries) {
    if (worker) forget(*worker);
    worker = take(path);
    if (!worker)
      return {std::nullopt, std::string("no process could be made for the exploration: ") + strerror(errno)};
    sent = writeFrame(worker->requests, kind, body);
  }
  const pid_t process = worker->process;
  Outcome outcome;
  std::optional<Clock::time_point> stopped;
  while (sent) {
    pollfd ready{worker->answers, POLLIN, 0};
    const int count = poll(&ready, 1, kLook);
    if (count < 0 && errno != EINTR) break;
    if (count > 0) {
      std::optional<Frame> frame = readFrame(worker->answers);
      if (!frame) break;
      if (frame->kind == FrameKind::Done) {
        outcome.body = std::move(frame->body);
        break;
      }
      hear(*frame);
      continue;
    }
    const StopReason reason = budget.check();
    // A deadline is the worker's own business until it is long past.
    const bool late = budget.deadline() && Clock::now() > *budget.deadline() + kPatience;
    if ((reason == StopReason::Cancelled || reason == StopReason::Memory || late) && !stopped) {
      stopped = Clock::now();
      writeFrame(worker->requests, FrameKind::Stop, "");
    }
    if (stopped && Clock::now() - *stopped > kPatience) {
      kill(process, SIGKILL);
      outcome.problem = "the exploration did not stop and its process was ended";
    }
  }
  if (!outcome.body) {
    forget(*worker);
    const std::string how = worker->reap();
    if (outcome.problem.empty())
      outcome.problem = "the exploration " + how + "; what it had found until then is kept";
    return outcome;
  }
  giveBack(std::move(worker), path);
  return outcome;
}

void WorkerPool::forget(const Worker& worker) {
  const std::lock_guard lock(mutex_);
  std::erase(busy_, worker.process);
}

void WorkerPool::warmUp() {
  const std::lock_guard lock(mutex_);
  if (auto worker = spawn()) idle_.push_back(std::move(worker));
}

std::vector<int> WorkerPool::processes() const {
  const std::lock_guard lock(mutex_);
  std::vector<int> all = busy_;
  for (const auto& worker : idle_) all.push_back(worker->process);
  return all;
}

uint64_t WorkerPool::residentMemory() const {
  uint64_t sum = 0;
  for (int process : processes()) sum += residentMemoryOf(process);
  return sum;
}

}  // namespace heddle
