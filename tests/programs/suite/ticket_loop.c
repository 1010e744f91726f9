// EXPECT: assert=verified race=verified (tickets, three threads of two rounds)
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_uint nextt, serving; int c;
void *w(void *a) { for (int k = 0; k < 2; k++) { unsigned me = atomic_fetch_add(&nextt, 1); while (atomic_load(&serving) != me) ; int l = c; c = l + 1; atomic_fetch_add(&serving, 1);} return 0; }
int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, 0); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); assert(c == 6); return 0; }
