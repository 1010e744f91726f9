// EXPECT: assert=verified (max found by two threads; values any)
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
#define N 3
int a[N], max = -2147483647 - 1;
pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
void *thr(void *arg) {
  int from = (int)(long)arg;
  for (int i = from; i < N; i += 2) {
    pthread_mutex_lock(&mu);
    if (a[i] > max) max = a[i];
    pthread_mutex_unlock(&mu);
  }
  return 0;
}
int main() {
  pthread_t t[2];
  for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, thr, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  for (int i = 0; i < N; i++) assert(max >= a[i]);
  return 0;
}
