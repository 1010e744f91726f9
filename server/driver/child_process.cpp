#include "server/driver/child_process.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void workInChild(const std::function<std::string()>& work, int output, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(2);  // the parent went before the line above
  const std::string result = work();
  size_t done = 0;
  while (done < result.size()) {
    const ssize_t count = write(output, result.data() + done, result.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(2);
    done += static_cast<size_t>(count);
  }
  _exit(0);  // without destructors and buffers that belong to the parent
}

/// Until the child closes its end; false when the time is over.
bool readAll(int input, const std::optional<Clock::time_point>& end, std::string& out) {
  std::array<char, 65536> buffer;
  while (true) {
    int wait = -1;
    if (end) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*end - Clock::now()).count();
      if (left <= 0) return false;
      wait = static_cast<int>(std::min<int64_t>(left, 1'000'000));
    }
    pollfd ready{input, POLLIN, 0};
    const int count = poll(&ready, 1, wait);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return true;
    if (count == 0) continue;  // looks at the clock again
    const ssize_t got = read(input, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    out.append(buffer.data(), static_cast<size_t>(got));
  }
}

double secondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

ChildOutcome runInChild(const std::function<std::string()>& work, std::chrono::milliseconds limit) {
  ChildOutcome outcome;
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) {
    outcome.problem = std::string("no pipe: ") + std::strerror(errno);
    return outcome;
  }
  const Clock::time_point start = Clock::now();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    workInChild(work, ends[1], parent);
  }
  close(ends[1]);
  if (child < 0) {
    outcome.problem = std::string("no child process: ") + std::strerror(errno);
    close(ends[0]);
    return outcome;
  }
  std::optional<Clock::time_point> end;
  if (limit.count() > 0) end = start + limit;
  const bool inTime = readAll(ends[0], end, outcome.result);
  if (!inTime) kill(child, SIGKILL);
  close(ends[0]);
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  outcome.wallSeconds = std::chrono::duration<double>(Clock::now() - start).count();
  outcome.cpuSeconds = secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime);
  outcome.peakRssMb = static_cast<uint64_t>(usage.ru_maxrss) / 1024;
  if (!inTime) {
    outcome.problem = "killed after " + std::to_string(limit.count()) + " ms";
  } else if (WIFSIGNALED(status)) {
    outcome.problem = "crashed (signal " + std::to_string(WTERMSIG(status)) + ")";
  } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    outcome.problem = "ended with code " + std::to_string(WEXITSTATUS(status));
  } else {
    outcome.finished = true;
  }
  return outcome;
}

}  // namespace heddle
