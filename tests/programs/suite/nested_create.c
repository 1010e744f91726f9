// EXPECT: assert=verified race=verified (grandchildren joined by their parents)
#include <pthread.h>
#include <assert.h>
int leafs[4];
void *leaf(void *p) { *(int *)p = 1; return 0; }
void *mid(void *p) { int *at = p; pthread_t a, b; pthread_create(&a, 0, leaf, at); pthread_create(&b, 0, leaf, at + 1); pthread_join(a, 0); pthread_join(b, 0); assert(at[0] + at[1] == 2); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, mid, leafs); pthread_create(&b, 0, mid, leafs + 2); pthread_join(a, 0); pthread_join(b, 0); assert(leafs[0] + leafs[1] + leafs[2] + leafs[3] == 4); return 0; }
