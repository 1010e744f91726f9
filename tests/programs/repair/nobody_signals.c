// EXPECT: deadlock=violated (the consumer makes room and tells nobody)
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t room = PTHREAD_COND_INITIALIZER, item = PTHREAD_COND_INITIALIZER;
static int count;

static void *produce(void *unused) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    while (count == 1) pthread_cond_wait(&room, &m);
    count++;
    pthread_cond_signal(&item);
    pthread_mutex_unlock(&m);
  }
  return unused;
}

static void *consume(void *unused) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    while (count == 0) pthread_cond_wait(&item, &m);
    count--;
    pthread_mutex_unlock(&m);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, produce, NULL);
  pthread_create(&b, NULL, consume, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
