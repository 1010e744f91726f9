// EXPECT: assert=verified memory=verified (bytes of a word by two threads)
#include <pthread.h>
#include <assert.h>
union { unsigned w; unsigned char b[4]; } u;
void *t(void *a) { u.b[(long)a] = 1; return 0; }
int main() { pthread_t x, y; pthread_create(&x, 0, t, (void *)0); pthread_create(&y, 0, t, (void *)3); pthread_join(x, 0); pthread_join(y, 0); assert(u.w == 0x01000001); return 0; }
