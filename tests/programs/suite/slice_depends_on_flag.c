// EXPECT: assert=violated twin=slice_depends_on_nothing (what the slice holds depends on when the flag is set)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int a[100];
atomic_int flag;
void *w(void *p) { int v = atomic_load(&flag) ? 2 : 1; for (int i = 0; i < 40; i++) a[i] = v; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); a[50] = 1; atomic_store(&flag, 1); pthread_join(t, 0); assert(a[7] == 1 && a[50] == 1); return 0; }
