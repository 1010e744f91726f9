// EXPECT: assert=violated twin=recursion_deep (the bottom is 100,000 calls deep)
#include <assert.h>
#include <pthread.h>
static int depth(int n) { return n == 0 ? 1 : 1 + depth(n - 1); }
static int found;
static void *run(void *unused) { found = depth(100000); return unused; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); assert(found == 100000); return 0; }
