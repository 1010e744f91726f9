// EXPECT: race=verified assert=verified (registered callbacks with data)
#include <pthread.h>
#include <assert.h>
typedef void (*cb)(void *); struct reg { cb f; void *data; } regs[2]; int nregs;
void reg(cb f, void *d) { regs[nregs].f = f; regs[nregs].data = d; nregs++; }
void add1(void *p) { __sync_fetch_and_add((int *)p, 1); }
void add2(void *p) { __sync_fetch_and_add((int *)p, 2); }
int x;
void *fire(void *a) { for (int i = 0; i < nregs; i++) regs[i].f(regs[i].data); return 0; }
int main(void) { reg(add1, &x); reg(add2, &x); pthread_t a, b; pthread_create(&a, 0, fire, 0); pthread_create(&b, 0, fire, 0); pthread_join(a, 0); pthread_join(b, 0); assert(x == 6); return 0; }
