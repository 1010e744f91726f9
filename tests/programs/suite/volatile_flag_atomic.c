// EXPECT: volatile=verified race=verified assert=verified (an atomic flag is synchronization)
#include <pthread.h>
#include <assert.h>
_Atomic int ready; int data;
void *w(void *a) { data = 42; ready = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); while (!ready) ; assert(data == 42); pthread_join(t, 0); return 0; }
