// EXPECT: assert=violated option=--signals=threads twin=counter_blocked (the signal arrives between the read and the write)
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t count, handled;

static void on_alarm(int number) {
  (void)number;
  count = count + 1;
  handled = 1;
}

int main(void) {
  signal(SIGALRM, on_alarm);
  count = count + 1;
  if (handled) assert(count == 2);
  return 0;
}
