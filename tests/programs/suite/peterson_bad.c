// EXPECT: assert=violated twin=peterson_ok (the turn is given before the flag is set)
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int flag[2], turn; int in;
void *w(void *p) { int me = (int)(long)p, he = 1 - me; turn = he; flag[me] = 1; while (flag[he] && turn == he) ; in++; assert(in == 1); in--; flag[me] = 0; return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, w, (void *)0); pthread_create(&b, 0, w, (void *)1); pthread_join(a, 0); pthread_join(b, 0); return 0; }
