// EXPECT: race=verified memory=verified (odd and even elements by inputs)
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
int a[64];
void *w(void *p) { unsigned i = __VERIFIER_nondet_uint() % 32; a[2 * i + (unsigned)(long)p]++; return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, w, (void *)0); pthread_create(&u, 0, w, (void *)1); pthread_join(t, 0); pthread_join(u, 0); return 0; }
