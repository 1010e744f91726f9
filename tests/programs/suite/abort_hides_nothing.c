// EXPECT: assert=verified (the other thread's assertion holds before and after)
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
int x;
void *t(void *a) { assert(x <= 1); return a; }
int main(void) { pthread_t i; pthread_create(&i, 0, t, 0); x = 1; abort(); }
