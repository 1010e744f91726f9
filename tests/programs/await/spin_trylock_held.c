// EXPECT: assert=verified race=verified deadlock=violated memory=verified misuse=verified twin=spin_trylock_released (main joins who tries for ever to get what main holds)
#include <pthread.h>

static pthread_spinlock_t lock;

static void *poll(void *unused) {
  while (pthread_spin_trylock(&lock) != 0) {
  }
  pthread_spin_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_spin_init(&lock, 0);
  pthread_spin_lock(&lock);
  pthread_create(&thread, 0, poll, 0);
  pthread_join(thread, 0);
  pthread_spin_unlock(&lock);
  return 0;
}
