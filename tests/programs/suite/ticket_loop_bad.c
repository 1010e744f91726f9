// EXPECT: assert=violated race=violated twin=ticket_loop (the ticket is taken in two steps)
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_uint nextt, serving; int c;
void *w(void *a) { unsigned me = atomic_load(&nextt); atomic_store(&nextt, me + 1); while (atomic_load(&serving) < me) ; int l = c; c = l + 1; atomic_fetch_add(&serving, 1); return 0; }
int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); assert(c == 2); return 0; }
