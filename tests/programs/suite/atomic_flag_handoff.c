// EXPECT: race=verified assert=verified deadlock=verified (an atomic flag hands over)
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
struct { _Atomic int ready; int data; } s;
void *w(void *a) { s.data = 42; s.ready = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); while (!s.ready) ; assert(s.data == 42); pthread_join(t, 0); return 0; }
