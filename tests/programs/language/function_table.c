// EXPECT: assert=violated twin=function_table_joined (the slot may hold either function)
#include <assert.h>
#include <pthread.h>

typedef int (*operation)(int);
static int twice(int n) { return 2 * n; }
static int next(int n) { return n + 1; }
static operation slots[2] = {next, next};

static void *install(void *unused) {
  slots[1] = twice;
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, install, NULL);

  int result = slots[1](5);
  pthread_join(a, NULL);
  assert(result == 10);
  return 0;
}
