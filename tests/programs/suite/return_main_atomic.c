// EXPECT: assert=verified race=verified (the thread may run before main returns)
#include <pthread.h>
_Atomic int x;
void *t(void *a) { (void)a; x = 1; return 0; }
int main() { pthread_t id; pthread_create(&id, 0, t, 0); x = 2; return 0; }
