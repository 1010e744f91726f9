// EXPECT: assert=verified (Lamport's bakery of two)
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int e[2], n[2]; int in;
void *w(void *p) { int me = (int)(long)p, he = 1 - me; e[me] = 1; int t = n[he]; n[me] = t + 1; e[me] = 0; while (e[he]) ; int o; while ((o = n[he]) != 0 && (o < n[me] || (o == n[me] && he < me))) ; in++; assert(in == 1); in--; n[me] = 0; return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, w, (void *)0); pthread_create(&b, 0, w, (void *)1); pthread_join(a, 0); pthread_join(b, 0); return 0; }
