// EXPECT: race=violated twin=resized_map_fixed (the bucket is chosen before the map is kept from growing)
// PATCH: in insert
//   -  (before the read lock) bucket = key % m->size;
//   +  (under it) bucket = key % m->size;
// Review: "the size may change until `resize` is held: the bucket is chosen too early."
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
struct item {
  int key;
  struct item* next;
};
struct map {
  pthread_rwlock_t resize;
  pthread_mutex_t stripes[2];
  struct item** buckets;
  int size;
  int count;
  pthread_mutex_t count_lock;
};
static struct map map = {
    PTHREAD_RWLOCK_INITIALIZER, {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}, 0, 0, 0,
    PTHREAD_MUTEX_INITIALIZER};
static int grow(struct map* m) {
  int size = m->size * 2;
  struct item** fresh = calloc((size_t)size, sizeof *fresh);
  if (!fresh) return -1;
  for (int i = 0; i < m->size; i++)
    while (m->buckets[i]) {
      struct item* it = m->buckets[i];
      m->buckets[i] = it->next;
      it->next = fresh[it->key % size];
      fresh[it->key % size] = it;
    }
  free(m->buckets);
  m->buckets = fresh;
  m->size = size;
  return 0;
}
static int insert(struct map* m, int key) {
  int full = 0, added = 0, bucket = key % m->size;
  pthread_rwlock_rdlock(&m->resize);
  pthread_mutex_t* stripe = &m->stripes[key % 2];
  pthread_mutex_lock(stripe);
  struct item* it = m->buckets[bucket];
  while (it && it->key != key) it = it->next;
  if (!it && (it = malloc(sizeof *it))) {
    it->key = key;
    it->next = m->buckets[bucket];
    m->buckets[bucket] = it;
    added = 1;
  }
  pthread_mutex_unlock(stripe);
  if (added) {
    pthread_mutex_lock(&m->count_lock);
    full = ++m->count > m->size;
    pthread_mutex_unlock(&m->count_lock);
  }
  pthread_rwlock_unlock(&m->resize);
  if (full) {
    pthread_rwlock_wrlock(&m->resize);
    if (m->count > m->size) grow(m);
    pthread_rwlock_unlock(&m->resize);
  }
  return added;
}
static int contains(struct map* m, int key) {
  pthread_rwlock_rdlock(&m->resize);
  pthread_mutex_lock(&m->stripes[key % 2]);
  struct item* it = m->buckets[key % m->size];
  while (it && it->key != key) it = it->next;
  pthread_mutex_unlock(&m->stripes[key % 2]);
  pthread_rwlock_unlock(&m->resize);
  return it != 0;
}
static int keys[2], added[2];
static void* user(void* arg) {
  long i = (long)arg;
  added[i] += insert(&map, keys[i]);
  if (added[i]) assert(contains(&map, keys[i]));
  added[i] += insert(&map, 2 + (int)i);
  return 0;
}
int main(void) {
  pthread_t t[2];
  map.size = 2;
  map.buckets = calloc(2, sizeof *map.buckets);
  if (!map.buckets) return 1;
  for (int i = 0; i < 2; i++) {
    keys[i] = __VERIFIER_nondet_int();
    __VERIFIER_assume(keys[i] >= 0 && keys[i] <= 1);
  }
  int n = 0;
  for (long i = 0; i < 2; i++)
    if (!pthread_create(&t[n], 0, user, (void*)i)) n++;
  for (int i = 0; i < n; i++) pthread_join(t[i], 0);
  assert(map.count == added[0] + added[1]);
  int seen = 0;
  for (int i = 0; i < map.size; i++)
    while (map.buckets[i]) {
      struct item* it = map.buckets[i];
      map.buckets[i] = it->next;
      free(it);
      seen++;
    }
  assert(seen == map.count);
  free(map.buckets);
  return 0;
}
