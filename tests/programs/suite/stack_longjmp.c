// EXPECT: memory=violated twin=stack_longjmp_joined (a jump leaves the frame that another thread looks at)
#include <pthread.h>
#include <setjmp.h>
int *_Atomic p; jmp_buf back;
void f(void) { int mine = 3; p = &mine; longjmp(back, 1); }
void *w(void *u) { int *q = p; return q ? (void *)(long)*q : 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); if (!setjmp(back)) f(); p = 0; pthread_join(t, 0); return 0; }
