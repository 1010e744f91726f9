// EXPECT: memory=verified (a copy of the variable is left behind)
#include <pthread.h>
_Atomic int p;
void *w(void *u) { int mine = 3; p = mine; pthread_exit(0); }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); int v = p; pthread_join(t, 0); return v; }
