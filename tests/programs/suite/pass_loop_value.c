// EXPECT: race=verified assert=verified (each thread gets the number)
#include <pthread.h>
#include <assert.h>
int seen[3];
void *t(void *a) { long i = (long)a; assert(i < 3); seen[i] = 1; return 0; }
int main(void) { pthread_t id[3]; for (long i = 0; i < 3; i++) pthread_create(&id[i], 0, t, (void *)i); for (int k = 0; k < 3; k++) pthread_join(id[k], 0); assert(seen[0] + seen[1] + seen[2] == 3); return 0; }
