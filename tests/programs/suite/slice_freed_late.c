// EXPECT: memory=verified race=verified (all threads are joined before the memory is freed)
#include <pthread.h>
#include <stdlib.h>
int *a;
void *w(void *p) { long k = (long)p; for (int i = 0; i < 4; i++) a[k * 20 + i] = i; return 0; }
int main(void) { pthread_t t, u; a = malloc(40 * sizeof *a); pthread_create(&t, 0, w, (void *)0); pthread_create(&u, 0, w, (void *)1); pthread_join(t, 0); pthread_join(u, 0); free(a); return 0; }
