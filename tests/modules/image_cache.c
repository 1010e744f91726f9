// EXPECT: race=violated twin=image_cache_fixed (how full the cache is is read after the unlock)
// PATCH, written before the tool ran: in cache_put
//      const int number = cache_slot(cache);
//      if (number >= 0)
//        cache->images[number] = size;
//   +  const int used = cache->used;
//      pthread_mutex_unlock(&cache->lock);
//   -  return cache->used;
//   +  return used;
// Review: "cache->used is read without cache->lock: read it before you unlock."
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define IMAGES 2
#define NONE (-1)

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct cache {
  pthread_mutex_t lock;
  int images[IMAGES];
  int used;
  int refused;
};

static struct cache *cache_new(void) {
  struct cache *cache = malloc(sizeof *cache);
  if (cache == NULL)
    abort();
  pthread_mutex_init(&cache->lock, NULL);
  for (int i = 0; i < IMAGES; i++)
    cache->images[i] = 0;
  cache->used = 0;
  cache->refused = 0;
  return cache;
}

/* With the lock held: a free place, or NONE. */
static int cache_slot(struct cache *cache) {
  if (cache->used == IMAGES) {
    cache->refused++;
    return NONE;
  }
  return cache->used++;
}

/* Returns how many images the cache has then. */
static int cache_put(struct cache *cache, int size) {
  pthread_mutex_lock(&cache->lock);
  const int number = cache_slot(cache);
  if (number >= 0)
    cache->images[number] = size;
  pthread_mutex_unlock(&cache->lock);
  return cache->used;
}

static int cache_bytes(struct cache *cache) {
  int bytes = 0;
  pthread_mutex_lock(&cache->lock);
  for (int i = 0; i < cache->used; i++)
    bytes += cache->images[i];
  pthread_mutex_unlock(&cache->lock);
  return bytes;
}

static void cache_free(struct cache *cache) {
  pthread_mutex_destroy(&cache->lock);
  free(cache);
}

static void *decoder(void *argument) {
  struct cache *cache = argument;
  cache_put(cache, 10);
  return NULL;
}

int main(void) {
  const int size = __VERIFIER_nondet_int();
  __VERIFIER_assume(size >= 1 && size <= 3);
  struct cache *cache = cache_new();
  pthread_t thread;
  pthread_create(&thread, NULL, decoder, cache);
  const int used = cache_put(cache, size);
  pthread_join(thread, NULL);
  assert(used == 1 || used == 2);
  assert(cache_bytes(cache) == 10 + size);
  cache_free(cache);
  return 0;
}
