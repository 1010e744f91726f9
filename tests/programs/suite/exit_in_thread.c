// EXPECT: assert=verified race=verified (exit ends all)
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
int x;
void *t(void *a) { exit(0); return a; }
int main(void) { pthread_t i; pthread_create(&i, 0, t, 0); pthread_join(i, 0); assert(0); return x; }
