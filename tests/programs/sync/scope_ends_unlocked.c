// EXPECT: misuse=verified twin=scope_ends_locked (the function unlocks its mutex on each way out)
#include <pthread.h>

static int count_up(int by) {
  pthread_mutex_t m;
  int count = 0;
  pthread_mutex_init(&m, 0);
  pthread_mutex_lock(&m);
  count += by;
  pthread_mutex_unlock(&m);
  pthread_mutex_destroy(&m);
  return count;
}

static void *run(void *by) { return (void *)(long)count_up((int)(long)by); }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, (void *)2L);
  pthread_join(t, 0);
  return 0;
}
