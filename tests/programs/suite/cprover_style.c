// EXPECT: assert=verified (other intrinsics)
#include <pthread.h>
void __CPROVER_atomic_begin(); void __CPROVER_atomic_end(); void __CPROVER_assume(int); void __CPROVER_assert(int, const char *);
int x;
void *t(void *a) { (void)a; __CPROVER_atomic_begin(); x = x + 1; __CPROVER_atomic_end(); return 0; }
int main() { pthread_t i; __CPROVER_ASYNC_1: pthread_create(&i, 0, t, 0); t(0); pthread_join(i, 0); __CPROVER_assert(x == 2, "x"); return 0; }
