// EXPECT: memory=violated race=violated twin=shared_config_fixed (the reader takes its reference after the lock)
// PATCH, written before the tool ran: in store_get
//      struct config *config = store->current;
//   +  config->references++;
//      pthread_mutex_unlock(&store->lock);
//   -  config->references++;
// Review: "take the reference before you give the lock back: until then nothing keeps the object alive."
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum level { LEVEL_QUIET, LEVEL_NORMAL, LEVEL_VERBOSE };

struct config {
  int references;
  enum level level;
  bool strict;
  int limit;
};

struct store {
  pthread_mutex_t lock;
  struct config *current;
};

static struct config *config_new(enum level level, bool strict, int limit) {
  struct config *made = malloc(sizeof *made);
  if (made == NULL)
    abort();
  made->references = 1;
  made->level = level;
  made->strict = strict;
  made->limit = limit;
  return made;
}

static void store_put(struct store *store, struct config *config) {
  pthread_mutex_lock(&store->lock);
  const bool last = --config->references == 0;
  pthread_mutex_unlock(&store->lock);
  if (last)
    free(config);
}

static struct config *store_get(struct store *store) {
  pthread_mutex_lock(&store->lock);
  struct config *config = store->current;
  pthread_mutex_unlock(&store->lock);
  config->references++;
  return config;
}

static void store_set(struct store *store, struct config *next) {
  pthread_mutex_lock(&store->lock);
  struct config *old = store->current;
  store->current = next;
  pthread_mutex_unlock(&store->lock);
  store_put(store, old);
}

static int store_limit(struct store *store) {
  struct config *config = store_get(store);
  int limit = config->limit;
  if (config->strict && config->level != LEVEL_VERBOSE)
    limit = limit / 2;
  store_put(store, config);
  return limit;
}

static void *reload(void *argument) {
  struct store *store = argument;
  store_set(store, config_new(LEVEL_VERBOSE, true, 8));
  return NULL;
}

int main(void) {
  struct store *store = malloc(sizeof *store);
  pthread_t reloader;
  if (store == NULL)
    abort();
  pthread_mutex_init(&store->lock, NULL);
  store->current = config_new(LEVEL_NORMAL, false, 4);
  pthread_create(&reloader, NULL, reload, store);
  const int limit = store_limit(store);
  pthread_join(reloader, NULL);
  assert(limit == 4 || limit == 8);
  store_put(store, store->current);
  pthread_mutex_destroy(&store->lock);
  free(store);
  return 0;
}
