// EXPECT: race=verified (striped_map as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define STRIPES 2
#define PLACES 2

struct entry {
  bool used;
  int key;
  int value;
};

struct stripe {
  pthread_mutex_t lock;
  struct entry entries[PLACES];
  int size;
};

struct map {
  struct stripe stripes[STRIPES];
};

static struct map *map_new(void) {
  struct map *map = calloc(1, sizeof *map);
  if (map == NULL)
    abort();
  for (int i = 0; i < STRIPES; i++)
    pthread_mutex_init(&map->stripes[i].lock, NULL);
  return map;
}

static struct stripe *map_stripe(struct map *map, int key) {
  return &map->stripes[(unsigned)key % STRIPES];
}

static struct entry *stripe_find(struct stripe *stripe, int key) {
  for (int i = 0; i < PLACES; i++)
    if (stripe->entries[i].used && stripe->entries[i].key == key)
      return &stripe->entries[i];
  return NULL;
}

/* False where the stripe is full. */
static bool map_put(struct map *map, int key, int value) {
  struct stripe *stripe = map_stripe(map, key);
  pthread_mutex_lock(&stripe->lock);
  struct entry *entry = stripe_find(stripe, key);
  for (int i = 0; i < PLACES && entry == NULL; i++)
    if (!stripe->entries[i].used) {
      entry = &stripe->entries[i];
      entry->used = true;
      entry->key = key;
      stripe->size++;
    }
  if (entry != NULL)
    entry->value = value;
  pthread_mutex_unlock(&stripe->lock);
  return entry != NULL;
}

static bool map_remove(struct map *map, int key) {
  struct stripe *stripe = map_stripe(map, key);
  pthread_mutex_lock(&stripe->lock);
  struct entry *entry = stripe_find(map_stripe(map, key), key);
  if (entry != NULL) {
    entry->used = false;
    map_stripe(map, key)->size--;
  }
  pthread_mutex_unlock(&stripe->lock);
  return entry != NULL;
}

static void map_free(struct map *map) {
  for (int i = 0; i < STRIPES; i++)
    pthread_mutex_destroy(&map->stripes[i].lock);
  free(map);
}

static void *cleaner(void *argument) {
  struct map *map = argument;
  map_remove(map, 1);
  return NULL;
}

int main(void) {
  struct map *map = map_new();
  pthread_t thread;
  map_put(map, 1, 10);
  pthread_create(&thread, NULL, cleaner, map);
  const bool put = map_put(map, 3, 30);
  pthread_join(thread, NULL);
  assert(put);
  assert(map->stripes[1].size == 1);
  map_free(map);
  return 0;
}
