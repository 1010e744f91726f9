// EXPECT: overflow=violated assert=verified twin=overflow_counter_bounded (an input is incremented by two threads)
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int c; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a) { (void)a; pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m); return 0; }
int main() {
  pthread_t x, y;
  c = __VERIFIER_nondet_int();
  if (c > 2147483646) return 0;
  pthread_create(&x, 0, t, 0); pthread_create(&y, 0, t, 0);
  pthread_join(x, 0); pthread_join(y, 0);
  return 0;
}
