// EXPECT: assert=verified race=verified (one step on an atomic member)
#include <pthread.h>
#include <assert.h>
struct { _Atomic int n; } s;
void *w(void *a) { s.n += 1; s.n++; return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w, 0); pthread_join(t, 0); pthread_join(u, 0); assert(s.n == 4); return 0; }
