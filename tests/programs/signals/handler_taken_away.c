// EXPECT: memory=verified-within-bounds race=verified-within-bounds option=--signals=threads (from there on no handler runs)
#include <signal.h>
#include <stdlib.h>

static volatile char *volatile buffer;

static void on_int(int number) {
  (void)number;
  buffer[0] = 'i';
}

int main(void) {
  buffer = malloc(4);
  if (!buffer) return 1;
  signal(SIGINT, on_int);
  signal(SIGINT, SIG_DFL);
  free((void *)buffer);
  return 0;
}
