// EXPECT: memory=verified race=verified option=--check-leaks (whoever is second frees its own block, main the other)
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *kept;

static void *work(void *unused) {
  int *mine = malloc(sizeof *mine);
  pthread_mutex_lock(&lock);
  if (kept == NULL) {
    kept = mine;
    mine = NULL;
  }
  pthread_mutex_unlock(&lock);
  free(mine);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  free(kept);
  return 0;
}
