// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (the last one waits for nobody)
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int set[3];

static void *pass(void *number) {
  const int i = (int)(long)number;
  while (i != 2 && !set[(i + 1) % 3]) sched_yield();
  set[i] = 1;
  return number;
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], 0, pass, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
