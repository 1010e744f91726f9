// EXPECT: assert=verified memory=verified (on_exit hands over the exit status and the argument)
#define _DEFAULT_SOURCE
#include <assert.h>
#include <stdlib.h>

static int argument = 7;

static void last(int status, void *given) {
  assert(status == 3);
  assert(*(int *)given == 7);
}

int main(void) {
  on_exit(last, &argument);
  exit(3);
}
