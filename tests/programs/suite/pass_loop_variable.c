// EXPECT: race=violated assert=violated twin=pass_loop_value (all threads get the address of one loop variable)
#include <pthread.h>
#include <assert.h>
int seen[3];
void *t(void *a) { int i = *(int *)a; assert(i < 3); seen[i < 3 ? i : 0] = 1; return 0; }
int main(void) { pthread_t id[3]; int i; for (i = 0; i < 3; i++) pthread_create(&id[i], 0, t, &i); for (int k = 0; k < 3; k++) pthread_join(id[k], 0); return 0; }
