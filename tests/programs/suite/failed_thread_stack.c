// EXPECT: assert=violated memory=verified twin=failed_thread_passes (a failed assertion ends no frame)
#include <pthread.h>
#include <assert.h>
int *_Atomic p;
void *w(void *u) { int mine = 3; p = &mine; assert(u == &mine); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); int *q = p; int v = q ? *q : 0; return v; }
