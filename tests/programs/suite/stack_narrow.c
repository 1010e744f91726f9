// EXPECT: memory=violated twin=stack_narrow_joined (the frame ends before the thread looks, in one schedule of many)
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
int *_Atomic p; atomic_int a, b, c, done;
void *w(void *x) { if (a == 1) if (b == 2) if (c == 3) { int *q = p; if (q) return (void *)(long)*q; } return 0; }
void f(void) { int local = 4; p = &local; a = 1; a = 0; a = 1; b = 1; b = 2; b = 1; b = 2; c = 1; c = 3; c = 2; c = 3; if (done) return; p = 0; }
void *w2(void *x) { done = 1; return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w2, 0); f(); pthread_join(t, 0); pthread_join(u, 0); return 0; }
