// EXPECT: race=violated assert=violated (the other file forgets the lock)
#include <assert.h>
#include <pthread.h>

#include "stock.h"

int stock = 3;
pthread_mutex_t stock_lock = PTHREAD_MUTEX_INITIALIZER;

static void *deliver(void *unused) {
  pthread_mutex_lock(&stock_lock);
  stock += 2;
  pthread_mutex_unlock(&stock_lock);
  return unused;
}

static void *sell(void *unused) {
  take(2);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, deliver, NULL);
  pthread_create(&b, NULL, sell, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(stock == 3);
  return 0;
}
