#include "analysis/compile/crash_guard.h"

#include <pthread.h>
#include <signal.h>

#include <cstddef>
#include <memory>
#include <mutex>

#include "llvm/Support/CrashRecoveryContext.h"

namespace heddle {
namespace {

constexpr size_t kStackBytes = size_t{64} << 20;
constexpr size_t kSignalStackBytes = size_t{64} << 10;
constexpr int kTimedOutCode = 97;
constexpr int kSignals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};

// Keeps LLVM's handlers installed while any guarded work is in flight. The count is process-wide because
// handlers are.
class HandlerLease {
 public:
  HandlerLease() {
    std::lock_guard lock(mutex());
    if (count()++ == 0) install();
  }
  ~HandlerLease() {
    std::lock_guard lock(mutex());
    if (--count() == 0) llvm::CrashRecoveryContext::Disable();
  }
  HandlerLease(const HandlerLease&) = delete;
  HandlerLease& operator=(const HandlerLease&) = delete;

 private:
  static void install() {
    llvm::CrashRecoveryContext::Enable();
    for (int number : kSignals) {
      struct sigaction action;
      if (sigaction(number, nullptr, &action) != 0) continue;
      action.sa_flags |= SA_ONSTACK;  // LLVM leaves it out: its handler could not run after a stack overflow
      sigaction(number, &action, nullptr);
    }
  }

  static std::mutex& mutex() {
    static std::mutex instance;
    return instance;
  }
  static int& count() {
    static int instance = 0;  // guarded by mutex()
    return instance;
  }
};

class SignalStack {
 public:
  SignalStack() : memory_(std::make_unique<std::byte[]>(kSignalStackBytes)) {
    stack_t wanted = {};
    wanted.ss_sp = memory_.get();
    wanted.ss_size = kSignalStackBytes;
    installed_ = sigaltstack(&wanted, &previous_) == 0;
  }
  ~SignalStack() {
    if (installed_) sigaltstack(&previous_, nullptr);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  std::unique_ptr<std::byte[]> memory_;
  stack_t previous_ = {};
  bool installed_ = false;
};

struct Job {
  const std::function<void()>* work;
  GuardOutcome outcome = GuardOutcome::NoThread;
};

void* runJob(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  SignalStack stack;
  llvm::CrashRecoveryContext recovery;
  if (recovery.RunSafely([&] { (*job.work)(); })) {
    job.outcome = GuardOutcome::Done;
  } else {
    job.outcome = recovery.RetCode == kTimedOutCode ? GuardOutcome::TimedOut : GuardOutcome::Crashed;
  }
  return nullptr;
}

}  // namespace

GuardOutcome runGuarded(const std::function<void()>& work) {
  HandlerLease lease;
  Job job{&work};
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return GuardOutcome::NoThread;
  pthread_t thread;
  bool started = pthread_attr_setstacksize(&attributes, kStackBytes) == 0 &&
                 pthread_create(&thread, &attributes, runJob, &job) == 0;
  pthread_attr_destroy(&attributes);
  if (started) pthread_join(thread, nullptr);
  return job.outcome;
}

void abandonGuardedWork() {
  if (llvm::CrashRecoveryContext* current = llvm::CrashRecoveryContext::GetCurrent())
    current->HandleExit(kTimedOutCode);
}

}  // namespace heddle
