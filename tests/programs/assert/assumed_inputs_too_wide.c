// EXPECT: assert=violated twin=assumed_inputs (51 and 49 are allowed and make 100)
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int condition);

static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused) {
  unsigned char amount = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(amount < 52);
  pthread_mutex_lock(&lock);
  total += amount;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(total >= 0 && total < 100);
  return 0;
}
