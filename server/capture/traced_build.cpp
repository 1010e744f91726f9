#include "server/capture/traced_build.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr int kCannotRun = 127;  // as shells say it

/// Passes signals on to the command, whose end the caller waits for.
class PassedSignals {
 public:
  PassedSignals() {
    sigemptyset(&passed_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&passed_, signal);
    pthread_sigmask(SIG_BLOCK, &passed_, &before_);
  }
  ~PassedSignals() {
    isOver_ = true;
    if (thread_.joinable()) {
      pthread_kill(thread_.native_handle(), SIGHUP);
      thread_.join();
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  PassedSignals(const PassedSignals&) = delete;
  PassedSignals& operator=(const PassedSignals&) = delete;

  const sigset_t& before() const { return before_; }

  void passTo(pid_t process) {
    thread_ = std::thread([this, process] {
      bool isSecond = false;
      while (true) {
        siginfo_t info{};
        const int signal = sigwaitinfo(&passed_, &info);
        if (isOver_) return;
        if (signal < 0) continue;
        // The kernel sends what is typed to all processes of the terminal's foreground.
        if (isSecond)
          kill(process, SIGKILL);
        else if (info.si_code != SI_KERNEL)
          kill(process, signal);
        isSecond = true;
      }
    });
  }

 private:
  sigset_t passed_{}, before_{};
  std::atomic<bool> isOver_{false};
  std::thread thread_;
};

std::vector<std::string> argumentsOfProcess(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

/// In the child: waits until it is traced, and becomes the command.
[[noreturn]] void becomeCommand(const std::vector<char*>& words, int go, int failed, const sigset_t& mask) {
  char byte = 0;
  while (read(go, &byte, 1) < 0 && errno == EINTR) {
  }
  std::signal(SIGPIPE, SIG_DFL);
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  execvp(words.front(), words.data());
  const int why = errno;
  const ssize_t written = write(failed, &why, sizeof why);
  _exit(written == sizeof why ? kCannotRun : kCannotRun - 1);
}

int codeOf(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Lets a process that has stopped go on as if nobody had looked.
void goOn(pid_t process, int status) {
  const int event = status >> 16;
  int signal = 0;
  if (event == PTRACE_EVENT_STOP && WSTOPSIG(status) != SIGTRAP) {
    ptrace(PTRACE_LISTEN, process, nullptr, nullptr);  // it was stopped (Ctrl-Z), and stays so
    return;
  }
  if (event == 0) signal = WSTOPSIG(status);
  ptrace(PTRACE_CONT, process, nullptr, signal);
}

/// Until `first` ends; its status.
int follow(pid_t first, const BuildWatch& watch) {
  while (true) {
    int status = 0;
    const pid_t process = waitpid(-1, &status, __WALL | __WNOTHREAD);
    if (process < 0) {
      if (errno == EINTR) continue;
      return kCannotRun << 8;  // it cannot be: the first one has not ended
    }
    if (!WIFSTOPPED(status)) {
      watch.ended(process);
      if (process == first) return status;
      continue;
    }
    if (status >> 8 == (SIGTRAP | (PTRACE_EVENT_EXEC << 8))) {
      std::error_code error;
      Execution seen{process, argumentsOfProcess(process), {}};
      seen.directory = fs::read_symlink("/proc/" + std::to_string(process) + "/cwd", error).string();
      if (!error && !seen.arguments.empty()) watch.executed(seen);
    }
    goOn(process, status);
  }
}

BuildEnd cannot(const std::string& what) {
  return {kCannotRun, what + ": " + std::strerror(errno)};
}

}  // namespace

BuildEnd runTraced(const std::vector<std::string>& command, const BuildWatch& watch) {
  std::vector<std::string> texts = command;
  std::vector<char*> words;
  for (std::string& text : texts) words.push_back(text.data());
  words.push_back(nullptr);
  std::array<int, 2> go{}, failed{};
  if (pipe2(go.data(), O_CLOEXEC) != 0) return cannot("no pipe");
  if (pipe2(failed.data(), O_CLOEXEC) != 0) {
    close(go[0]), close(go[1]);
    return cannot("no pipe");
  }
  std::signal(SIGCHLD, SIG_DFL);  // where it is ignored, ends of children are not told
  PassedSignals signals;
  const pid_t child = fork();
  if (child == 0) {
    close(go[1]);
    becomeCommand(words, go[0], failed[1], signals.before());
  }
  close(go[0]), close(failed[1]);
  BuildEnd end;
  if (child < 0) {
    end = cannot("no process can be started");
  } else if (ptrace(PTRACE_SEIZE, child, nullptr,
                    PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE) !=
             0) {
    end = cannot("the kernel lets no process be traced here (ptrace)");
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  } else {
    signals.passTo(child);
    close(go[1]), go[1] = -1;  // the child goes on
    end.code = codeOf(follow(child, watch));
    int why = 0;
    if (read(failed[0], &why, sizeof why) == sizeof why) {
      errno = why;
      end = cannot("'" + command.front() + "' cannot be run");
    }
  }
  if (go[1] >= 0) close(go[1]);
  close(failed[0]);
  return end;
}

pid_t parentOf(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const size_t name = text.rfind(')');  // the name may have blanks and brackets
  if (name == std::string::npos) return 0;
  std::istringstream fields(text.substr(name + 1));
  char state = 0;
  pid_t parent = 0;
  fields >> state >> parent;
  return parent;
}

}  // namespace heddle
