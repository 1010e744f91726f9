// EXPECT: memory=verified (the other thread has looked before the jump)
#include <pthread.h>
#include <setjmp.h>
int *_Atomic p; jmp_buf back;
void *w(void *u) { int *q = p; return q ? (void *)(long)*q : 0; }
void f(void) { int mine = 3; p = &mine; pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); longjmp(back, 1); }
int main(void) { if (!setjmp(back)) f(); p = 0; return 0; }
