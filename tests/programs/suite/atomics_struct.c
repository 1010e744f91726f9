// EXPECT: assert=verified race=verified (atomic struct member)
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
struct { atomic_int n; int pad; } s; atomic_flag f = ATOMIC_FLAG_INIT; int k;
void *t(void *a) { s.n++; atomic_fetch_or(&s.n, 0); while (atomic_flag_test_and_set(&f)) ; k++; atomic_flag_clear(&f); return a; }
int main(void) { pthread_t i; pthread_create(&i, 0, t, 0); t(0); pthread_join(i, 0); assert(s.n == 2 && k == 2); return 0; }
