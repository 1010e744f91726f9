// EXPECT: assert=violated race=verified twin=atomic_member (two steps on an atomic member)
#include <pthread.h>
#include <assert.h>
struct { _Atomic int n; } s;
void *w(void *a) { s.n = s.n + 1; return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w, 0); pthread_join(t, 0); pthread_join(u, 0); assert(s.n == 2); return 0; }
