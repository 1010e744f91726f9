// EXPECT: memory=violated twin=stack_joined (the frame is gone when the thread looks)
#include <pthread.h>
void *t(void *p) { *(int *)p = 1; return 0; }
static void start(pthread_t *i) { int local = 0; pthread_create(i, 0, t, &local); }
int main() { pthread_t i; start(&i); pthread_join(i, 0); return 0; }
