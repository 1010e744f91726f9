// EXPECT: race=violated twin=bucket_cache_fixed (the lookup comes before the lock)
// PATCH, written before the tool ran: in cache_add
//   -  struct entry *found = cache_find(cache, key);
//      pthread_mutex_lock(&cache->lock);
//   +  struct entry *found = cache_find(cache, key);
// Review: "look up under the lock: the bucket may change while you walk it, and two threads may both add the
// key."
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define BUCKETS 4

struct entry {
  int key;
  int hits;
  struct entry *next;
};

struct cache {
  pthread_mutex_t lock;
  int size;
  struct entry *buckets[BUCKETS];
};

static struct cache *cache_new(void) {
  struct cache *cache = calloc(1, sizeof *cache);
  if (cache == NULL)
    abort();
  pthread_mutex_init(&cache->lock, NULL);
  return cache;
}

static void cache_free(struct cache *cache) {
  for (int i = 0; i < BUCKETS; i++) {
    struct entry *entry = cache->buckets[i];
    while (entry != NULL) {
      struct entry *next = entry->next;
      free(entry);
      entry = next;
    }
  }
  pthread_mutex_destroy(&cache->lock);
  free(cache);
}

static unsigned hash(int key) {
  return (unsigned)key % BUCKETS;
}

static struct entry *cache_find(struct cache *cache, int key) {
  struct entry *entry = cache->buckets[hash(key)];
  while (entry != NULL && entry->key != key)
    entry = entry->next;
  return entry;
}

static void cache_add(struct cache *cache, int key) {
  struct entry *found = cache_find(cache, key);
  pthread_mutex_lock(&cache->lock);
  if (found != NULL) {
    found->hits++;
  } else {
    struct entry *entry = malloc(sizeof *entry);
    if (entry == NULL)
      abort();
    entry->key = key;
    entry->hits = 1;
    entry->next = cache->buckets[hash(key)];
    cache->buckets[hash(key)] = entry;
    cache->size++;
  }
  pthread_mutex_unlock(&cache->lock);
}

static struct cache *shared;
static int wanted;

static void *client(void *argument) {
  (void)argument;
  cache_add(shared, wanted);
  return NULL;
}

int main(void) {
  pthread_t other;
  wanted = heddle_input_int();
  heddle_assume(wanted >= 1 && wanted <= 2);
  shared = cache_new();
  pthread_create(&other, NULL, client, NULL);
  cache_add(shared, wanted);
  pthread_join(other, NULL);
  assert(shared->size == 1);
  cache_free(shared);
  return 0;
}
