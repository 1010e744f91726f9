// EXPECT: race=verified (two bit-fields in words of their own)
#include <pthread.h>
struct { unsigned a : 3; unsigned : 0; unsigned b : 5; } s;
void *w(void *x) { s.a = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); s.b = 2; pthread_join(t, 0); return 0; }
