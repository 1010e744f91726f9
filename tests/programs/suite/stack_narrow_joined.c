// EXPECT: memory=verified (the frame stays until the thread has looked)
#include <pthread.h>
#include <stdatomic.h>
int *_Atomic p; atomic_int a, b, c;
void *w(void *x) { if (a == 1) if (b == 2) if (c == 3) { int *q = p; if (q) return (void *)(long)*q; } return 0; }
void f(void) { int local = 4; pthread_t t; pthread_create(&t, 0, w, 0); p = &local; a = 1; b = 1; b = 2; c = 1; c = 3; c = 2; pthread_join(t, 0); p = 0; }
int main(void) { f(); f(); return 0; }
