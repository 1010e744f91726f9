// EXPECT: assert=violated twin=seqlock_reader (does not look again)
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_uint seq; atomic_int a, b;
void *wr(void *p) { for (int i = 1; i <= 2; i++) { atomic_fetch_add(&seq, 1); a = i; b = i; atomic_fetch_add(&seq, 1); } return 0; }
void *rd(void *p) { unsigned s; int x, y; while ((s = seq) & 1) ; x = a; y = b; assert(x == y); return 0; }
int main(void) { pthread_t x, y; pthread_create(&x, 0, wr, 0); pthread_create(&y, 0, rd, 0); pthread_join(x, 0); pthread_join(y, 0); return 0; }
