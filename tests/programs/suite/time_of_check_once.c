// EXPECT: memory=verified (read once, checked and used)
#include <pthread.h>
#include <stddef.h>
struct { int v; } obj; _Atomic(typeof(obj) *) p = &obj;
void *t(void *a) { (void)a; p = NULL; return 0; }
int main() { pthread_t i; pthread_create(&i, 0, t, 0); typeof(obj) *q = p; if (q) q->v = 1; pthread_join(i, 0); return 0; }
