// EXPECT: memory=verified (the process ends with main and takes the thread with it)
#include <pthread.h>
#include <stdlib.h>
void *w(void *p) { *(int *)p = 1; return 0; }
int main(void) { int x = 0; pthread_t t; pthread_create(&t, 0, w, &x); if (x == 3) exit(1); return 0; }
