// EXPECT: assert=violated race=verified twin=equal_pair (one input changes only one of two numbers)
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
unsigned x = 10, y = 10;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *change_both(void *arg) { (void)arg;
  for (int i = 0; i < 2; i++) {
    unsigned change = (unsigned)__VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    if (x < 100000) {
      x += change;
      if (change != 17) y += change;
    }
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, change_both, 0);
  pthread_create(&b, 0, change_both, 0);
  pthread_mutex_lock(&m);
  assert(x == y);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
