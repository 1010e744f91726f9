#include "analysis/compile/crash_guard.h"

#include <pthread.h>
#include <signal.h>

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

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

// Shared by the caller and the thread: the thread may outlive the call.
struct Job {
  std::function<void()> work;
  std::mutex mutex;
  std::condition_variable ended;
  std::optional<GuardOutcome> outcome;  // guarded by mutex
};

GuardOutcome runProtected(Job& job) {
  HandlerLease lease;
  SignalStack stack;
  llvm::CrashRecoveryContext recovery;
  if (recovery.RunSafely([&] { job.work(); })) return GuardOutcome::Done;
  return recovery.RetCode == kTimedOutCode ? GuardOutcome::TimedOut : GuardOutcome::Crashed;
}

void* runJob(void* argument) {
  std::unique_ptr<std::shared_ptr<Job>> job(static_cast<std::shared_ptr<Job>*>(argument));
  GuardOutcome outcome = runProtected(**job);
  std::lock_guard lock((*job)->mutex);
  (*job)->outcome = outcome;
  (*job)->ended.notify_all();
  return nullptr;
}

}  // namespace

GuardOutcome runGuarded(std::function<void()> work, std::chrono::milliseconds limit) {
  auto job = std::make_shared<Job>();
  job->work = std::move(work);
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return GuardOutcome::NoThread;
  pthread_t thread;
  auto argument = std::make_unique<std::shared_ptr<Job>>(job);
  bool started = pthread_attr_setstacksize(&attributes, kStackBytes) == 0 &&
                 pthread_create(&thread, &attributes, runJob, argument.get()) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) return GuardOutcome::NoThread;
  argument.release();  // the thread owns it now
  std::unique_lock lock(job->mutex);
  bool ended = job->ended.wait_for(lock, limit, [&] { return job->outcome.has_value(); });
  GuardOutcome outcome = ended ? *job->outcome : GuardOutcome::TimedOut;
  lock.unlock();
  if (ended) {
    pthread_join(thread, nullptr);
  } else {
    pthread_detach(thread);
  }
  return outcome;
}

void abandonGuardedWork() {
  if (llvm::CrashRecoveryContext* current = llvm::CrashRecoveryContext::GetCurrent())
    current->HandleExit(kTimedOutCode);
}

}  // namespace heddle
