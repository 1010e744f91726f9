// EXPECT: assert=verified (join's result)
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
void *t(void *a) { int *r = malloc(sizeof(int)); *r = *(int *)a + 1; return r; }
int main() { int v = 3; void *r; pthread_t i; pthread_create(&i, 0, t, &v); pthread_join(i, &r); assert(*(int *)r == 4); free(r); return 0; }
