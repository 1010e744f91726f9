// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (released before)
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  while (pthread_mutex_trylock(&lock) != 0) {
  }
  pthread_mutex_unlock(&lock);
  return 0;
}
