// EXPECT: memory=violated twin=stack_exit_thread_copied (a thread leaves by pthread_exit while another one uses its variable)
#include <pthread.h>
int *_Atomic p;
void *w(void *u) { int mine = 3; p = &mine; pthread_exit(0); }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); int *q = p; int v = q ? *q : 0; pthread_join(t, 0); return v; }
