// EXPECT: race=violated assert=violated twin=sem_prodcons (one place too many)
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
#define N 3
int ring[N]; sem_t empty, full;
void *p(void *a) { for (int i = 0; i < 5; i++) { sem_wait(&empty); ring[i % N] = i + 1; sem_post(&full); } return 0; }
void *c(void *a) { int sum = 0; for (int i = 0; i < 5; i++) { sem_wait(&full); sum += ring[i % N]; sem_post(&empty); } assert(sum == 15); return 0; }
int main(void) { sem_init(&empty, 0, N + 1); sem_init(&full, 0, 0); pthread_t x, y; pthread_create(&x, 0, p, 0); pthread_create(&y, 0, c, 0); pthread_join(x, 0); pthread_join(y, 0); return 0; }
