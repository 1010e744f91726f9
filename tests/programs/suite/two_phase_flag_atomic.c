// EXPECT: assert=verified race=verified (flag handshake on atomic ints)
#include <pthread.h>
#include <assert.h>
int data; _Atomic int ready, done;
void *t(void *a) { while (!ready) ; assert(data == 5); done = 1; return a; }
int main(void) { pthread_t i; pthread_create(&i, 0, t, 0); data = 5; ready = 1; while (!done) ; pthread_join(i, 0); return 0; }
