// EXPECT: assert=verified race=verified deadlock=verified (two semaphores and a mutex)
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
#include <stdio.h>
sem_t empty, full; pthread_mutex_t m; int buf[2], in, out, sum;
void *prod(void *a) { (void)a; for (int i = 1; i <= 3; i++) { sem_wait(&empty); pthread_mutex_lock(&m); buf[in] = i; in = (in + 1) % 2; pthread_mutex_unlock(&m); sem_post(&full); } pthread_exit(NULL); }
void *cons(void *a) { (void)a; for (int i = 1; i <= 3; i++) { sem_wait(&full); pthread_mutex_lock(&m); sum += buf[out]; out = (out + 1) % 2; pthread_mutex_unlock(&m); sem_post(&empty); printf("%d\n", sum); } return 0; }
int main() {
  pthread_t p, c;
  sem_init(&empty, 0, 2); sem_init(&full, 0, 0); pthread_mutex_init(&m, NULL);
  pthread_create(&p, 0, prod, 0); pthread_create(&c, 0, cons, 0);
  pthread_join(p, 0); pthread_join(c, 0);
  assert(sum == 6);
  sem_destroy(&empty); sem_destroy(&full); pthread_mutex_destroy(&m);
  return 0;
}
