// EXPECT: memory=violated race=violated option=--check-leaks twin=leak_handed_over (without the lock both may keep theirs, and one is lost)
#include <pthread.h>
#include <stdlib.h>

static int *kept;

static void *work(void *unused) {
  int *mine = malloc(sizeof *mine);
  if (kept == NULL) {
    kept = mine;
    mine = NULL;
  }
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
