// EXPECT: memory=violated twin=thread_local_copied (a pointer to another thread's variable outlives the thread)
#include <pthread.h>
__thread int a;
void *w(void *p) { return &a; }
int main(void) { pthread_t t; void *r; pthread_create(&t, 0, w, 0); pthread_join(t, &r); return *(int *)r; }
