// EXPECT: assert=violated race=verified twin=gcc_atomics (an increment in two steps, GCC's functions on atomic objects)
#include <pthread.h>
#include <assert.h>
_Atomic int n;
_Atomic(int *) last;
void *add(void *arg) {
  __atomic_store_n(&n, __atomic_load_n(&n, __ATOMIC_SEQ_CST) + 1, __ATOMIC_SEQ_CST);
  __extension__({ __auto_type to = (&last); __typeof__((void)0, *to) value = (arg); __atomic_store(to, &value, 5); });
  return 0;
}
int main(void) {
  pthread_t a, b;
  int own[2];
  pthread_create(&a, 0, add, &own[0]);
  pthread_create(&b, 0, add, &own[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(__atomic_load_n(&n, 5) == 2);
  assert(last == &own[0] || last == &own[1]);
  return 0;
}
