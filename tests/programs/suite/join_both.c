// EXPECT: race=verified assert=verified (both are joined)
#include <pthread.h>
#include <assert.h>
_Atomic int x;
void *w(void *p) { x++; return p; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0); pthread_join(a, 0); pthread_join(b, 0); assert(x >= 1); assert(x != 1); return 0; }
