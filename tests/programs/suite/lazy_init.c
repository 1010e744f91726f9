// EXPECT: assert=verified race=verified memory=verified (double-checked with acquire and release)
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct s { int v; };
struct s *inst; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int made;
struct s *get(void) { struct s *p = __atomic_load_n(&inst, __ATOMIC_ACQUIRE); if (!p) { pthread_mutex_lock(&m); p = inst; if (!p) { p = malloc(sizeof *p); p->v = 42; made++; __atomic_store_n(&inst, p, __ATOMIC_RELEASE);} pthread_mutex_unlock(&m);} return p; }
void *w(void *a) { assert(get()->v == 42); return 0; }
int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, 0); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); assert(made == 1); free(inst); return 0; }
