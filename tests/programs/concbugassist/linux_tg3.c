// EXPECT: assert=violated (the statistics are freed between the check and the use)
#include <assert.h>
#include <pthread.h>

static int stats = 1;

static void *close_port(void *unused) {
  stats = 0;
  return unused;
}

static void *get_stats(void *unused) {
  if (stats) {
    assert(stats != 0);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, close_port, NULL);
  pthread_create(&b, NULL, get_stats, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
