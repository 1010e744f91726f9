// EXPECT: assert=verified race=violated deadlock=verified memory=violated misuse=verified twin=strtok_r_two_threads (the place that strtok remembers is one for all threads)
#include <pthread.h>
#include <string.h>

static void *worker(void *arg) {
  char text[8] = "a b";
  strtok(text, " ");
  strtok(0, " ");
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
