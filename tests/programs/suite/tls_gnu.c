// EXPECT: assert=verified race=verified (each its own)
#include <pthread.h>
#include <assert.h>
static __thread int mine = 3;
void *t(void *a) { mine++; assert(mine == 4); return a; }
int main(void) { pthread_t i; pthread_create(&i, 0, t, 0); t(0); pthread_join(i, 0); assert(mine == 4); return 0; }
