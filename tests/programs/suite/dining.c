// EXPECT: deadlock=violated assert=verified twin=dining_last_turns (everyone takes the left one first)
#include <pthread.h>
#define N 4
pthread_mutex_t fork_[N];
void *eat(void *a) { long i = (long)a; pthread_mutex_lock(&fork_[i]); pthread_mutex_lock(&fork_[(i + 1) % N]); pthread_mutex_unlock(&fork_[(i + 1) % N]); pthread_mutex_unlock(&fork_[i]); return 0; }
int main() {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_mutex_init(&fork_[i], 0);
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, eat, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
