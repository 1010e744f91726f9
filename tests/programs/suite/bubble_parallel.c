// EXPECT: assert=verified memory=verified (sorts its own half; values any)
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int a[4];
void *sort2(void *p) { int i = *(int *)p; if (a[i] > a[i + 1]) { int t = a[i]; a[i] = a[i + 1]; a[i + 1] = t; } return 0; }
int main() {
  int x = 0, y = 2; pthread_t t, u;
  for (int i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_int();
  pthread_create(&t, 0, sort2, &x); pthread_create(&u, 0, sort2, &y);
  pthread_join(t, 0); pthread_join(u, 0);
  assert(a[0] <= a[1] && a[2] <= a[3]);
  return 0;
}
