// EXPECT: deadlock=violated (leaving the loop keeps the mutex)
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int tickets = 1;

static void *take(void *unused) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    if (tickets == 0) break;
    tickets--;
    pthread_mutex_unlock(&m);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, take, NULL);
  pthread_create(&b, NULL, take, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
