// EXPECT: assert=verified race=verified (static local counted atomically)
#include <pthread.h>
#include <assert.h>
static int next(void) { static _Atomic int n; return n++; }
int a, b;
void *t1(void *p) { (void)p; a = next(); return 0; }
void *t2(void *p) { (void)p; b = next(); return 0; }
int main() { pthread_t x, y; pthread_create(&x, 0, t1, 0); pthread_create(&y, 0, t2, 0); pthread_join(x, 0); pthread_join(y, 0); assert(a != b); return 0; }
