// EXPECT: assert=violated twin=esbmc_style_assumed (other intrinsics)
#include <pthread.h>
_Bool nondet_bool(); int nondet_int(); void __ESBMC_atomic_begin(); void __ESBMC_atomic_end(); void __ESBMC_assume(_Bool); void __ESBMC_assert(_Bool, const char *);
int x;
void *t(void *a) { (void)a; __ESBMC_atomic_begin(); x = nondet_int(); __ESBMC_assume(x > 3); __ESBMC_atomic_end(); return 0; }
int main() { pthread_t i; pthread_create(&i, 0, t, 0); pthread_join(i, 0); __ESBMC_assert(x != 77, "x"); return 0; }
