// EXPECT: race=verified (detached threads, an atomic variable)
#include <pthread.h>
_Atomic int x;
void *t(void *a) { (void)a; x = 1; return 0; }
int main() { for (int i = 0; i < 2; i++) { pthread_t id; pthread_create(&id, 0, t, 0); pthread_detach(id); } return 0; }
