// EXPECT: race=violated assert=violated twin=join_both (only one of two is joined)
#include <pthread.h>
#include <assert.h>
int x;
void *w(void *p) { x++; return p; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0); pthread_join(a, 0); assert(x >= 1); assert(x != 1); return 0; }
