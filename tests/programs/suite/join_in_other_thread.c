// EXPECT: race=verified assert=verified (joined by another thread that main joins)
#include <pthread.h>
#include <assert.h>
int x; pthread_t a;
void *w(void *p) { x = 1; return p; }
void *j(void *p) { pthread_join(a, 0); return p; }
int main(void) { pthread_t b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, j, 0); pthread_join(b, 0); assert(x == 1); return 0; }
