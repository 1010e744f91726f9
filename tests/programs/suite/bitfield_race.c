// EXPECT: race=violated twin=bitfield_words (two bit-fields of one word)
#include <pthread.h>
struct { unsigned a : 3; unsigned b : 5; } s;
void *w(void *x) { s.a = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); s.b = 2; pthread_join(t, 0); return 0; }
