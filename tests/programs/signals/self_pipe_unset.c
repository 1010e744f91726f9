// EXPECT: deadlock=violated option=--signals=threads twin=self_pipe (a signal that arrives before the descriptor is set wakes nobody)
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t out = -1;

static void on_term(int number) {
  (void)number;
  if (out >= 0 && write(out, "x", 1) < 0) return;
}

int main(void) {
  int ends[2];
  char byte;
  signal(SIGTERM, on_term);
  if (pipe(ends) != 0) return 1;
  out = ends[1];
  return read(ends[0], &byte, 1) == 1 ? 0 : 2;
}
