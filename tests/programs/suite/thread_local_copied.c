// EXPECT: memory=verified race=verified (a thread's variable is read by another one while it waits to end)
#include <pthread.h>
#include <semaphore.h>
__thread int mine; int *_Atomic p; sem_t there, done;
void *w(void *u) { mine = 3; p = &mine; sem_post(&there); sem_wait(&done); return 0; }
int main(void) { sem_init(&there, 0, 0); sem_init(&done, 0, 0); pthread_t t; pthread_create(&t, 0, w, 0); sem_wait(&there); int v = *p; sem_post(&done); pthread_join(t, 0); return v == 3 ? 0 : 1; }
