// EXPECT: memory=violated option=--signals=threads twin=handler_taken_away (a signal may arrive after the end of the buffer)
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
  free((void *)buffer);
  return 0;
}
