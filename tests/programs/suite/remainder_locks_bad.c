// EXPECT: race=violated twin=remainder_locks (the element 3 under the lock of another one)
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int data[10];
pthread_mutex_t slot[10];
static int index_of(int number) {
  int at = number % 10;
  return at < 0 ? -at : at;
}
void *add(void *arg) { (void)arg;
  int at = index_of(__VERIFIER_nondet_int());
  pthread_mutex_lock(&slot[at == 3 ? 2 : at]);
  data[at]++;
  pthread_mutex_unlock(&slot[at == 3 ? 2 : at]);
  return 0;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 10; i++) pthread_mutex_init(&slot[i], 0);
  pthread_create(&t, 0, add, 0);
  int at = __VERIFIER_nondet_int();
  if (at >= 0 && at < 10) {
    pthread_mutex_lock(&slot[at]);
    data[at] = 3;
    pthread_mutex_unlock(&slot[at]);
  }
  pthread_join(t, 0);
  return 0;
}
