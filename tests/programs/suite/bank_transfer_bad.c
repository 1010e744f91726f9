// EXPECT: race=verified deadlock=violated twin=bank_transfer (two accounts by inputs, locked as they come)
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
struct acct { pthread_mutex_t m; int bal; } ac[3];
void transfer(int a, int b, int n) { pthread_mutex_lock(&ac[a].m); pthread_mutex_lock(&ac[b].m); ac[a].bal -= n; ac[b].bal += n; pthread_mutex_unlock(&ac[b].m); pthread_mutex_unlock(&ac[a].m); }
void *w(void *p) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); __VERIFIER_assume(a >= 0 && a < 3 && b >= 0 && b < 3 && a != b); transfer(a, b, 5); return 0; }
int main(void) { pthread_t x, y; for (int i = 0; i < 3; i++) { pthread_mutex_init(&ac[i].m, 0); ac[i].bal = 100; } pthread_create(&x, 0, w, 0); pthread_create(&y, 0, w, 0); pthread_join(x, 0); pthread_join(y, 0); return 0; }
