// EXPECT: volatile=violated race=verified assert=verified twin=volatile_flag_atomic (volatile is no synchronization)
#include <pthread.h>
#include <assert.h>
volatile int ready; int data;
void *w(void *a) { data = 42; ready = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); while (!ready) ; assert(data == 42); pthread_join(t, 0); return 0; }
