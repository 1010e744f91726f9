// EXPECT: deadlock=verified race=verified (philosophers who eat for ever, forks in order: no round waits for anything)
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#define N 3
pthread_mutex_t forks[N];
void *philosopher(void *p) {
  long i = (long)p, one = i, other = (i + 1) % N;
  if (one > other) { long swap = one; one = other; other = swap; }
  for (;;) {
    usleep(10);
    pthread_mutex_lock(&forks[one]);
    pthread_mutex_lock(&forks[other]);
    printf("%ld eats\n", i);
    pthread_mutex_unlock(&forks[other]);
    pthread_mutex_unlock(&forks[one]);
  }
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_mutex_init(&forks[i], NULL);
  for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, philosopher, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
}
