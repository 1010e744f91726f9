// EXPECT: assert=verified race=verified deadlock=verified (a CAS lock and four threads)
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int lk; int c;
void *w(void *a) { int e; do { e = 0; } while (!atomic_compare_exchange_weak(&lk, &e, 1)); c++; atomic_store(&lk, 0); return 0; }
int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, w, 0); for (int i = 0; i < 4; i++) pthread_join(t[i], 0); assert(c == 4); return 0; }
