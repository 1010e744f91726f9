// EXPECT: deadlock=verified assert=verified (the last one takes the right one first)
#include <pthread.h>
#define N 4
pthread_mutex_t fork_[N];
void *eat(void *a) { long i = (long)a, l = i < N - 1 ? i : 0, r = i < N - 1 ? i + 1 : i; pthread_mutex_lock(&fork_[l]); pthread_mutex_lock(&fork_[r]); pthread_mutex_unlock(&fork_[r]); pthread_mutex_unlock(&fork_[l]); return 0; }
int main() {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_mutex_init(&fork_[i], 0);
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, eat, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
