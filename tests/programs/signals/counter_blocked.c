// EXPECT: assert=verified-within-bounds race=verified-within-bounds option=--signals=threads (the signal waits until the count is written)
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t count, handled;

static void on_alarm(int number) {
  (void)number;
  count = count + 1;
  handled = 1;
}

int main(void) {
  sigset_t alarms, before;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  signal(SIGALRM, on_alarm);
  sigprocmask(SIG_BLOCK, &alarms, &before);
  count = count + 1;
  sigprocmask(SIG_SETMASK, &before, 0);
  if (handled) assert(count == 2);
  return 0;
}
