// EXPECT: assert=violated race=violated twin=lazy_init (published before it is filled)
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct s { int v; };
struct s *inst; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct s *get(void) { if (!inst) { pthread_mutex_lock(&m); if (!inst) { inst = calloc(1, sizeof *inst); inst->v = 42; } pthread_mutex_unlock(&m);} return inst; }
void *w(void *a) { assert(get()->v == 42); return 0; }
int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return 0; }
