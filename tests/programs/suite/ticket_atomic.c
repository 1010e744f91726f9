// EXPECT: assert=verified (ticket lock by __sync)
#include <pthread.h>
#include <assert.h>
volatile unsigned next, now; int c;
void *t(void *a) { (void)a; unsigned me = __sync_fetch_and_add(&next, 1); while (now != me) ; c++; now++; return 0; }
int main() { pthread_t x[3]; for (int i = 0; i < 3; i++) pthread_create(&x[i], 0, t, 0); for (int i = 0; i < 3; i++) pthread_join(x[i], 0); assert(c == 3); return 0; }
