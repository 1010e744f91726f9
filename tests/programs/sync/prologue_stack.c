// EXPECT: assert=verified race=verified deadlock=verified memory=verified (main sets a counter on its stack, which another thread alone changes, while main goes through equal states)
#include <pthread.h>
#include <stdlib.h>

static int flag, turns;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *argument) {
  int *count = argument;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    flag = !flag;
    pthread_mutex_unlock(&m);
    (*count)++;
  }
  return NULL;
}

static int look(void) {
  pthread_mutex_lock(&m);
  int seen = flag;
  pthread_mutex_unlock(&m);
  return seen;
}

int main(void) {
  int count = 0, seen = 0;
  pthread_t thread;
  if (pthread_create(&thread, NULL, worker, &count) != 0) abort();
  for (int i = 0; i < 3; i++) {
    if (look())
      seen |= 1;
    else
      seen |= 1;
    turns++;
  }
  pthread_join(thread, NULL);
  return 0;
}
