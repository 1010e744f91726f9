// EXPECT: assert=violated race=violated deadlock=verified
// Why: the pointer is published before what it points to is filled in
//
// Lazy initialization, double checked: the settings are made by whoever needs them first. The first look is without
// the lock, and sees the pointer as soon as it is set.
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
  if (settings == NULL) {
    pthread_mutex_lock(&lock);
    if (settings == NULL) {
      settings = calloc(1, sizeof *settings);
      if (settings == NULL) abort();
      settings->port = 8080;
      settings->retries = 3;
    }
    pthread_mutex_unlock(&lock);
  }
  return settings;
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
