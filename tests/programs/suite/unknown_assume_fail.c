// EXPECT: assert=verified (abort if not: nothing behind it)
extern void abort(void);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
#include <pthread.h>
#include <assert.h>
int g;
void *t(void *a) { (void)a; assume_abort_if_not(g == 1); assert(g == 1); return 0; }
int main() { pthread_t id; g = 1; pthread_create(&id, 0, t, 0); pthread_join(id, 0); return 0; }
