// EXPECT: race=verified assert=verified (different fields, different elements)
#include <pthread.h>
#include <assert.h>
struct { char a, b; short c; int d[2]; long e; } s;
void *w(void *x) { s.a = 1; s.c = 3; s.d[1] = 4; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); s.b = 2; s.d[0] = 5; s.e = 6; pthread_join(t, 0); assert(s.a + s.b + s.c + s.d[0] + s.d[1] + s.e == 21); return 0; }
