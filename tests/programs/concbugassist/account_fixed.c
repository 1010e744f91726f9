// EXPECT: assert=verified (the twin of account.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int x = 1, y = 2, z = 4, balance = 1, deposited, withdrawn;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *deposit(void *unused) {
  pthread_mutex_lock(&m);
  balance = balance + y;
  deposited = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *withdraw(void *unused) {
  pthread_mutex_lock(&m);
  balance = balance - z;
  withdrawn = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *check(void *unused) {
  pthread_mutex_lock(&m);
  if (deposited && withdrawn) assert(balance == (x - y) - z);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&c, NULL, check, NULL);
  pthread_join(c, NULL);
  pthread_create(&a, NULL, deposit, NULL);
  pthread_create(&b, NULL, withdraw, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
