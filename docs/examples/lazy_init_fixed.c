// EXPECT: assert=verified race=verified deadlock=verified
// Why: the pointer is published when everything is filled in, and read under the lock
//
// The twin of lazy_init.c: the lock is always taken, and the pointer is set last.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct settings {
  int port;
  int retries;
};

static struct settings *settings;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct settings *get_settings(void) {
  pthread_mutex_lock(&lock);
  if (settings == NULL) {
    struct settings *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL) abort();
    fresh->port = 8080;
    fresh->retries = 3;
    settings = fresh;
  }
  struct settings *result = settings;
  pthread_mutex_unlock(&lock);
  return result;
}

static void *worker(void *unused) {
  struct settings *mine = get_settings();
  assert(mine->port == 8080);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, worker, NULL);
  pthread_create(&second, NULL, worker, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("port %d\n", settings->port);
  free(settings);
  return 0;
}
