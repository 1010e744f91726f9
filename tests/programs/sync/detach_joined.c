// EXPECT: misuse=violated twin=detach_itself (the thread may detach itself before it is joined, and after)
#include <pthread.h>

static void *work(void *unused) {
  pthread_detach(pthread_self());
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  return 0;
}
