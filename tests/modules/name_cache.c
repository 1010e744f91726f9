// EXPECT: deadlock=violated twin=name_cache_fixed (a reader that misses asks for the write lock and keeps the read lock)
// PATCH, written before the tool ran: in cache_address
//        if (entry == NULL) {
//   +      pthread_rwlock_unlock(&cache->lock);
//          pthread_rwlock_wrlock(&cache->lock);
//          entry = cache_find(cache, name);
//    (or the lock is taken for writing from the start)
// Review: "a read lock cannot be upgraded: two readers that miss wait for each other, and one waits for itself.
// Give the read lock back first; that you look again behind it is right."
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES 2
#define NAME 8

struct entry {
  char name[NAME];
  unsigned address;
  struct entry *next;
};

/* What a resolver has answered; many threads look names up, and few are new. */
struct cache {
  pthread_rwlock_t lock;
  struct entry *first;
  int count;
  int asked;
};

static struct cache *cache_new(void) {
  struct cache *cache = calloc(1, sizeof *cache);
  if (cache == NULL)
    abort();
  pthread_rwlock_init(&cache->lock, NULL);
  return cache;
}

static void cache_free(struct cache *cache) {
  while (cache->first != NULL) {
    struct entry *entry = cache->first;
    cache->first = entry->next;
    free(entry);
  }
  pthread_rwlock_destroy(&cache->lock);
  free(cache);
}

/* Stands for the question to a server: the address is made of the name. */
static unsigned resolver_ask(const char *name) {
  unsigned address = 10;
  for (size_t i = 0; name[i] != '\0'; i++)
    address = address * 16 + (unsigned)(name[i] - 'a');
  return address;
}

/* With the lock of `cache` held, for reading at least. */
static struct entry *cache_find(const struct cache *cache, const char *name) {
  for (struct entry *entry = cache->first; entry != NULL; entry = entry->next)
    if (strcmp(entry->name, name) == 0)
      return entry;
  return NULL;
}

/* With the lock of `cache` held for writing: the oldest entry goes where there are too many. */
static void cache_shrink(struct cache *cache) {
  if (cache->count <= ENTRIES)
    return;
  struct entry **last = &cache->first;
  while ((*last)->next != NULL)
    last = &(*last)->next;
  free(*last);
  *last = NULL;
  cache->count--;
}

/* With the lock of `cache` held for writing. */
static struct entry *cache_add(struct cache *cache, const char *name, unsigned address) {
  struct entry *entry = malloc(sizeof *entry);
  if (entry == NULL)
    abort();
  strncpy(entry->name, name, NAME - 1);
  entry->name[NAME - 1] = '\0';
  entry->address = address;
  entry->next = cache->first;
  cache->first = entry;
  cache->count++;
  cache->asked++;
  cache_shrink(cache);
  return entry;
}

/* The address of a name; who asks for it first asks the server. */
static unsigned cache_address(struct cache *cache, const char *name) {
  pthread_rwlock_rdlock(&cache->lock);
  struct entry *entry = cache_find(cache, name);
  if (entry == NULL) {
    pthread_rwlock_wrlock(&cache->lock);
    entry = cache_find(cache, name);
    if (entry == NULL)
      entry = cache_add(cache, name, resolver_ask(name));
  }
  const unsigned address = entry->address;
  pthread_rwlock_unlock(&cache->lock);
  return address;
}

/* For statistics. */
static int cache_asked(struct cache *cache) {
  pthread_rwlock_rdlock(&cache->lock);
  const int asked = cache->asked;
  pthread_rwlock_unlock(&cache->lock);
  return asked;
}

struct client {
  struct cache *cache;
  const char *name;
  unsigned address;
};

static void *client_main(void *argument) {
  struct client *client = argument;
  client->address = cache_address(client->cache, client->name);
  return NULL;
}

int main(void) {
  struct cache *cache = cache_new();
  struct client client = {cache, "b", 0};
  pthread_t thread;
  pthread_create(&thread, NULL, client_main, &client);
  const unsigned address = cache_address(cache, "b");
  pthread_join(thread, NULL);
  assert(address == 161 && client.address == address);
  assert(cache_address(cache, "b") == address);
  assert(cache_asked(cache) == 1);
  cache_free(cache);
  return 0;
}
