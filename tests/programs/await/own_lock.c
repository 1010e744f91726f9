// EXPECT: assert=verified race=verified deadlock=violated memory=verified misuse=verified twin=own_lock_released (tries for ever to get what it holds itself)
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&lock);
  while (pthread_mutex_trylock(&lock) != 0) {
  }
  pthread_mutex_unlock(&lock);
  return 0;
}
