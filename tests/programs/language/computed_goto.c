// EXPECT: assert=violated twin=computed_goto_private (the program counter of the little machine is shared)
#include <assert.h>
#include <pthread.h>

static const char code[] = {1, 0, 2};
static int at;

static int run(void) {
  static void *const labels[] = {&&twice, &&push, &&stop};

  int value = 0;
  goto *labels[(int)code[at++]];
push:
  value = 21;
  goto *labels[(int)code[at++]];
twice:
  value *= 2;
  goto *labels[(int)code[at++]];
stop:
  return value;
}

static void *work(void *unused) {
  assert(run() == 42);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);

  return 0;
}
