#include "server/native/native_measure.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

extern char** environ;

namespace heddle {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kLongest{10};

/// Seconds; nullopt: it failed, or took too long.
std::optional<double> timeOf(const std::string& program) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  std::string name = program;
  char* argv[] = {name.data(), nullptr};
  pid_t child = 0;
  const Clock::time_point begun = Clock::now();
  const int failed = posix_spawn(&child, program.c_str(), &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return std::nullopt;
  // One waits for the end; the other ends what does not end by itself.
  int status = 0;
  std::jthread watch([child, begun](const std::stop_token& stop) {
    while (!stop.stop_requested() && Clock::now() - begun < kLongest)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!stop.stop_requested()) kill(child, SIGKILL);
  });
  siginfo_t info;
  // The process stays until the watch is over, so that its number names no other one.
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  const double seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  watch.request_stop();
  watch.join();
  waitpid(child, &status, 0);
  if (!WIFEXITED(status)) return std::nullopt;  // a code is the program's own affair
  return seconds;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

Overhead measureOverhead(const std::string& constrained, const std::string& plain, unsigned runs) {
  Overhead overhead;
  std::vector<double> with, without;
  for (unsigned i = 0; i < runs; ++i) {
    if (const auto seconds = timeOf(constrained)) with.push_back(*seconds);
    if (const auto seconds = timeOf(plain)) without.push_back(*seconds);
  }
  if (with.empty() || without.empty()) {
    overhead.problem = with.empty() ? "the program with constraints does not come to its end"
                                    : "the program without constraints does not come to its end";
    return overhead;
  }
  overhead.runs = static_cast<unsigned>(std::min(with.size(), without.size()));
  overhead.seconds = median(with);
  overhead.secondsWithout = median(without);
  return overhead;
}

}  // namespace heddle
