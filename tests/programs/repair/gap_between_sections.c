// EXPECT: assert=violated race=verified (the balance is read in one section and written in another)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int balance = 10;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  int seen = balance;
  pthread_mutex_unlock(&lock);
  if (seen < 10)
    return NULL;
  pthread_mutex_lock(&lock);
  balance -= 10;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(balance >= 0);
  return 0;
}
