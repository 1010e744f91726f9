// EXPECT: assert=violated twin=abort_hides_nothing (the other thread's assertion can come first)
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
int x;
void *t(void *a) { assert(x == 0); return a; }
int main(void) { pthread_t i; pthread_create(&i, 0, t, 0); x = 1; abort(); }
