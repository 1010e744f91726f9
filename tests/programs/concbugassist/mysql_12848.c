// EXPECT: assert=violated (the cache size is set before the cache is built)
#include <assert.h>
#include <pthread.h>

static int size = 1, memory = 1;
static pthread_mutex_t structure = PTHREAD_MUTEX_INITIALIZER;

static void *store(void *unused) {
  pthread_mutex_lock(&structure);
  if (size != 0) assert(memory == 1);
  pthread_mutex_unlock(&structure);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, store, NULL);
  pthread_mutex_lock(&structure);
  size = 0;
  memory = 0;
  pthread_mutex_unlock(&structure);
  size = 2;
  memory = 1;
  pthread_join(a, NULL);
  return 0;
}
