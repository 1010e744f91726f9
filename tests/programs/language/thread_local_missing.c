// EXPECT: assert=violated twin=thread_local_counter (one counter for all threads)
#include <assert.h>
#include <pthread.h>

static int count;

static void *work(void *unused) {
  for (int i = 0; i < 2; i++) count++;
  assert(count == 2);
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
