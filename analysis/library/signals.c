// Signals whose handlers run, each as one more thread. These functions take the place of those of the
// interpreter, where the option asks for it (Environment::signals).
//
// A signal arrives at the first thread. So it does not begin to run where that thread blocks it, nor beside a
// handler that excludes it, and the first thread calls nothing here while a handler runs. Executions that
// would do so are no executions: what they show is shown by others.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

void heddle_assume(int condition);
void heddle_assumption(const char *text);
int heddle_input(const char *name);
void heddle_start_handler(void (*handler)(int), void *(*run)(void *), intptr_t argument);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

enum { kSignals = 64, kMostArrivals = 4, kNumberBits = 7 };

struct disposition {
  __sighandler_t handler;
  int flags;
  unsigned long mask;
  __sighandler_t runs;  // the handler that has a thread
  int generation;       // of this thread, from 1
};

static struct disposition signals_dispositions[kSignals + 1];
static int signals_arrivals;             // threads that were started
static unsigned long signals_blocked;    // by the first thread
static unsigned long signals_excluded;   // by handlers that run
static int signals_running;              // handlers
static unsigned signals_handled;         // handlers that have ended
static __thread unsigned long signals_own;  // what another thread blocks

static unsigned long signals_bit(int number) {
  return 1ul << (number - 1);
}

static int signals_is_number(int number) {
  return number >= 1 && number <= kSignals && number != SIGKILL && number != SIGSTOP;
}

// Signals that a fault of the program raises: Heddle reports the fault.
static int signals_is_fault(int number) {
  return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGTRAP ||
         number == SIGSYS || number == SIGABRT;
}

// The interpreter numbers threads from 1.
static int signals_is_first(void) {
  return pthread_self() == 1;
}

static void signals_call(__sighandler_t handler, int flags, int number) {
  if (!(flags & SA_SIGINFO)) {
    handler(number);
    return;
  }
  heddle_assumption("what a signal handler is told beside its signal is 0");
  siginfo_t told;
  ucontext_t context;
  memset(&told, 0, sizeof told);
  memset(&context, 0, sizeof context);
  told.si_signo = number;
  ((void (*)(int, siginfo_t *, void *))(intptr_t)handler)(number, &told, &context);
}

static void *signals_arrive(void *given) {
  const int number = (int)((intptr_t)given & ((1 << kNumberBits) - 1));
  const int generation = (int)((intptr_t)given >> kNumberBits);
  struct disposition *of = &signals_dispositions[number];
  __VERIFIER_atomic_begin();
  heddle_assume(of->generation == generation && of->handler == of->runs);
  heddle_assume(!((signals_blocked | signals_excluded) & signals_bit(number)));
  const __sighandler_t handler = of->handler;
  const int flags = of->flags;
  const unsigned long before = signals_excluded;
  const unsigned long during = before | of->mask | (flags & SA_NODEFER ? 0 : signals_bit(number));
  signals_excluded = during;
  ++signals_running;
  if (flags & (int)SA_RESETHAND) of->handler = SIG_DFL;
  __VERIFIER_atomic_end();
  signals_call(handler, flags, number);
  __VERIFIER_atomic_begin();
  // The last that has begun ends first.
  heddle_assume(signals_excluded == during);
  signals_excluded = before;
  --signals_running;
  ++signals_handled;
  __VERIFIER_atomic_end();
  return NULL;
}

static __sighandler_t signals_install(int number, __sighandler_t handler, int flags, unsigned long mask) {
  struct disposition *of = &signals_dispositions[number];
  const int isFunction = handler != SIG_DFL && handler != SIG_IGN;
  const int isFirst = signals_is_first();
  heddle_assumption("a signal without a handler does not arrive");
  __VERIFIER_atomic_begin();
  if (isFirst) heddle_assume(signals_running == 0);
  const __sighandler_t before = of->handler;
  of->handler = handler;
  of->flags = flags;
  of->mask = mask;
  const int isNew = isFunction && !signals_is_fault(number) && of->runs != handler;
  const int arrives = isNew && signals_arrivals < kMostArrivals;
  if (arrives) {
    ++signals_arrivals;
    of->runs = handler;
    ++of->generation;
  }
  const int generation = of->generation;
  __VERIFIER_atomic_end();
  if (isFunction && signals_is_fault(number))
    heddle_assumption("a signal of a fault, such as SIGSEGV or SIGABRT, does not arrive");
  if (isNew && !arrives) heddle_assumption("at most four signals arrive");
  if (!arrives) return before;
  heddle_assumption(
      "a signal with a handler arrives at most once; its handler runs as one more thread, and the thread that "
      "it interrupts goes on meanwhile");
  heddle_assumption("a lock that a handler and the thread it interrupts both take is a wait, no self-deadlock");
  heddle_start_handler(handler, signals_arrive, number | (intptr_t)generation << kNumberBits);
  return before;
}

__sighandler_t signal(int number, __sighandler_t handler) {
  if (!signals_is_number(number)) {
    errno = EINVAL;
    return SIG_ERR;
  }
  return signals_install(number, handler, SA_RESTART, 0);
}

__sighandler_t bsd_signal(int number, __sighandler_t handler) {
  return signal(number, handler);
}

__sighandler_t sigset(int number, __sighandler_t handler) {
  return signal(number, handler);
}

__sighandler_t __sysv_signal(int number, __sighandler_t handler) {
  if (!signals_is_number(number)) {
    errno = EINVAL;
    return SIG_ERR;
  }
  return signals_install(number, handler, (int)(SA_RESETHAND | SA_NODEFER), 0);
}

int sigaction(int number, const struct sigaction *given, struct sigaction *before) {
  if (!signals_is_number(number)) {
    errno = EINVAL;
    return -1;
  }
  const struct disposition *of = &signals_dispositions[number];
  __VERIFIER_atomic_begin();
  const __sighandler_t handler = of->handler;
  const int flags = of->flags;
  const unsigned long mask = of->mask;
  __VERIFIER_atomic_end();
  if (given) signals_install(number, given->sa_handler, given->sa_flags, given->sa_mask.__val[0]);
  if (before) {
    memset(before, 0, sizeof *before);
    before->sa_handler = handler;
    before->sa_flags = flags;
    before->sa_mask.__val[0] = mask;
  }
  return 0;
}

static unsigned long signals_changed(unsigned long from, int how, unsigned long given) {
  if (how == SIG_BLOCK) return from | given;
  return how == SIG_UNBLOCK ? from & ~given : given;
}

int pthread_sigmask(int how, const sigset_t *given, sigset_t *before) {
  heddle_assumption("a signal without a handler does not arrive");
  if (given && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
  const unsigned long bits = given ? given->__val[0] : 0;
  unsigned long old = signals_own;
  if (signals_is_first()) {
    __VERIFIER_atomic_begin();
    heddle_assume(signals_running == 0);
    old = signals_blocked;
    if (given) signals_blocked = signals_changed(old, how, bits);
    __VERIFIER_atomic_end();
  } else if (given) {
    heddle_assumption("signals arrive at the first thread: what other threads block changes nothing");
    signals_own = signals_changed(old, how, bits);
  }
  if (before) {
    memset(before, 0, sizeof *before);
    before->__val[0] = old;
  }
  return 0;
}

int sigprocmask(int how, const sigset_t *given, sigset_t *before) {
  const int error = pthread_sigmask(how, given, before);
  if (!error) return 0;
  errno = error;
  return -1;
}

int sigsuspend(const sigset_t *mask) {
  const int isFirst = signals_is_first();
  const unsigned long bits = mask->__val[0];
  __VERIFIER_atomic_begin();
  if (isFirst) heddle_assume(signals_running == 0);
  const unsigned long blocked = signals_blocked;
  const unsigned handled = signals_handled;
  if (isFirst) signals_blocked = bits;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  if (isFirst) heddle_assume(signals_running == 0);
  heddle_assume(signals_handled != handled);
  if (isFirst) signals_blocked = blocked;
  __VERIFIER_atomic_end();
  errno = EINTR;
  return -1;
}

int raise(int number) {
  if (!signals_is_number(number)) {
    errno = EINVAL;
    return -1;
  }
  __VERIFIER_atomic_begin();
  const __sighandler_t handler = signals_dispositions[number].handler;
  const int flags = signals_dispositions[number].flags;
  __VERIFIER_atomic_end();
  if (handler == SIG_DFL) {
    if (number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH) return 0;
    _Exit(128 + number);
  }
  if (handler != SIG_IGN) signals_call(handler, flags, number);
  return 0;
}

int kill(pid_t process, int number) {
  (void)process;
  if (number != 0) heddle_assumption("a signal that the program sends arrives as others do: at most once, at any time");
  return heddle_input("kill") == 0 ? 0 : -1;
}

int pthread_kill(pthread_t thread, int number) {
  (void)thread;
  if (number != 0) heddle_assumption("a signal that the program sends arrives as others do: at most once, at any time");
  return 0;
}
