// EXPECT: assert=verified race=verified memory=verified (once)
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
pthread_once_t once = PTHREAD_ONCE_INIT; int *p; int runs;
void init(void) { p = malloc(sizeof(int)); *p = 5; runs++; }
void *t(void *a) { (void)a; pthread_once(&once, init); assert(*p == 5); return 0; }
int main() { pthread_t x, y; pthread_create(&x, 0, t, 0); pthread_create(&y, 0, t, 0); pthread_join(x, 0); pthread_join(y, 0); assert(runs == 1); free(p); return 0; }
