// EXPECT: assert=violated twin=main_early_ok (main may return before or after)
#include <pthread.h>
#include <assert.h>
int x;
void *w(void *a) { assert(x == 0); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x = 1; return 0; }
