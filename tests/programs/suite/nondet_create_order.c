// EXPECT: assert=violated twin=nondet_create_order_any (which thread is created first depends on an input)
#include <pthread.h>
#include <assert.h>
_Bool __VERIFIER_nondet_bool(void);
int x;
void *a(void *p) { x = x * 2; return p; }
void *b(void *p) { x = x + 1; return p; }
int main(void) { pthread_t i, j; x = 1; if (__VERIFIER_nondet_bool()) { pthread_create(&i, 0, a, 0); pthread_join(i, 0); pthread_create(&j, 0, b, 0); pthread_join(j, 0); } else { pthread_create(&j, 0, b, 0); pthread_join(j, 0); pthread_create(&i, 0, a, 0); pthread_join(i, 0); } assert(x == 3); return 0; }
