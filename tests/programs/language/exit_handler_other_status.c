// EXPECT: assert=violated twin=exit_handler_status (main returns another status than the handler expects)
#define _DEFAULT_SOURCE
#include <assert.h>
#include <stdlib.h>

static void last(int status, void *unused) {
  (void)unused;
  assert(status == 3);
}

int main(void) {
  on_exit(last, NULL);
  return 4;
}
