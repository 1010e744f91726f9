// EXPECT: race=verified (lru_cache as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
enum { BUCKETS = 2, CAPACITY = 2 };
struct entry {
  int key, value;
  struct entry *chain, *newer, *older;
};
struct cache {
  pthread_mutex_t lock;
  struct entry* buckets[BUCKETS];
  struct entry *newest, *oldest;
  int count, hits, misses;
};
static void unlink_age(struct cache* c, struct entry* e) {
  if (e->newer)
    e->newer->older = e->older;
  else
    c->newest = e->older;
  if (e->older)
    e->older->newer = e->newer;
  else
    c->oldest = e->newer;
  e->newer = e->older = 0;
}
static void link_newest(struct cache* c, struct entry* e) {
  e->older = c->newest;
  e->newer = 0;
  if (c->newest)
    c->newest->newer = e;
  else
    c->oldest = e;
  c->newest = e;
}
static struct entry* find(struct cache* c, int key) {
  for (struct entry* e = c->buckets[key % BUCKETS]; e; e = e->chain)
    if (e->key == key) return e;
  return 0;
}
static void drop_oldest(struct cache* c) {
  struct entry* victim = c->oldest;
  if (!victim) return;
  struct entry** at = &c->buckets[victim->key % BUCKETS];
  while (*at != victim) at = &(*at)->chain;
  *at = victim->chain;
  unlink_age(c, victim);
  free(victim);
  c->count--;
}
static int cache_get(struct cache* c, int key, int* value) {
  pthread_mutex_lock(&c->lock);
  struct entry* e = find(c, key);
  if (e) {
    *value = e->value;
    unlink_age(c, e);
    link_newest(c, e);
    c->hits++;
  } else
    c->misses++;
  pthread_mutex_unlock(&c->lock);
  return e ? 0 : -1;
}
static int cache_put(struct cache* c, int key, int value) {
  struct entry* fresh = malloc(sizeof *fresh);
  if (!fresh) return -1;
  pthread_mutex_lock(&c->lock);
  struct entry* e = find(c, key);
  if (e) {
    e->value = value;
    unlink_age(c, e);
    link_newest(c, e);
    pthread_mutex_unlock(&c->lock);
    free(fresh);
    return 0;
  }
  if (c->count == CAPACITY) drop_oldest(c);
  fresh->key = key;
  fresh->value = value;
  fresh->chain = c->buckets[key % BUCKETS];
  c->buckets[key % BUCKETS] = fresh;
  link_newest(c, fresh);
  c->count++;
  pthread_mutex_unlock(&c->lock);
  return 0;
}
static void cache_clear(struct cache* c) {
  while (c->count) drop_oldest(c);
}
static struct cache cache = {.lock = PTHREAD_MUTEX_INITIALIZER};
static int keys[2];
static void* client(void* arg) {
  int key = keys[(long)arg], value = 0;
  if (cache_get(&cache, key, &value)) cache_put(&cache, key, key * 10);
  if (!cache_get(&cache, key, &value)) assert(value == key * 10);
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) {
    keys[i] = __VERIFIER_nondet_int();
    __VERIFIER_assume(keys[i] >= 0 && keys[i] < 3);
  }
  cache_put(&cache, 0, 0);
  for (long i = 0; i < 2; i++)
    if (pthread_create(&t[i], 0, client, (void*)i)) return 1;
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(cache.count <= CAPACITY);
  int n = 0;
  for (struct entry* e = cache.newest; e; e = e->older) n++;
  assert(n == cache.count);
  assert(cache.hits + cache.misses == 4);
  cache_clear(&cache);
  assert(!cache.newest && !cache.oldest);
  return 0;
}
