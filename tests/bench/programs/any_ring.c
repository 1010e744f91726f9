// A ring of CAP places, with any number of operations of a producer and a consumer: it never holds more.
#include <assert.h>
#include <pthread.h>

#define CAP 16

int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned head, tail;
static int ring[CAP];

static void *produce(void *unused) {
  while (__VERIFIER_nondet_int()) {
    pthread_mutex_lock(&lock);
#ifdef BUGGY
    if (tail - head <= CAP) {
#else
    if (tail - head < CAP) {
#endif
      ring[tail % CAP] = __VERIFIER_nondet_int();
      tail++;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *consume(void *unused) {
  while (__VERIFIER_nondet_int()) {
    pthread_mutex_lock(&lock);
    if (tail != head) head++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t producer, consumer;
  pthread_create(&producer, 0, produce, 0);
  pthread_create(&consumer, 0, consume, 0);
  pthread_join(producer, 0);
  pthread_join(consumer, 0);
  assert(tail - head <= CAP);
  return 0;
}
