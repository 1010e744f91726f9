// EXPECT: memory=verified race=verified (the frame waits for the thread)
#include <pthread.h>
void *t(void *p) { *(int *)p = 1; return 0; }
static void start(pthread_t *i) { int local = 0; pthread_create(i, 0, t, &local); pthread_join(*i, 0); }
int main() { pthread_t i; start(&i); return 0; }
