// EXPECT: race=violated assert=violated twin=nested_create (grandchildren are not joined)
#include <pthread.h>
#include <assert.h>
int leafs[4];
void *leaf(void *p) { *(int *)p = 1; return 0; }
void *mid(void *p) { int *at = p; pthread_t a, b; pthread_create(&a, 0, leaf, at); pthread_create(&b, 0, leaf, at + 1); pthread_join(a, 0); return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, mid, leafs); pthread_join(a, 0); assert(leafs[0] + leafs[1] == 2); return 0; }
