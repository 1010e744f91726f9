// EXPECT: race=violated twin=detach_many_atomic (detached threads)
#include <pthread.h>
int x;
void *t(void *a) { (void)a; x = 1; return 0; }
int main() { for (int i = 0; i < 2; i++) { pthread_t id; pthread_create(&id, 0, t, 0); pthread_detach(id); } return 0; }
