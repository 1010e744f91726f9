// EXPECT: deadlock=verified (connection_pool as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define MOST 2

enum state { FREE, BUSY, BROKEN };

struct connection {
  enum state state;
  int requests;
};

struct pool {
  pthread_mutex_t lock;
  int size;
  int used;
  struct connection connections[MOST];
};

static struct pool *pool_open(int size) {
  struct pool *pool = calloc(1, sizeof *pool);
  if (pool == NULL)
    abort();
  pthread_mutex_init(&pool->lock, NULL);
  pool->size = size;
  return pool;
}

static void pool_close(struct pool *pool) {
  assert(pool->used == 0);
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}

/* The number of a connection that is now the caller's, or -1. */
static int pool_acquire(struct pool *pool) {
  pthread_mutex_lock(&pool->lock);
  if (pool->used == pool->size) {
    pthread_mutex_unlock(&pool->lock);
    return -1;
  }
  int found = -1;
  for (int i = 0; i < pool->size && found < 0; i++)
    if (pool->connections[i].state == FREE)
      found = i;
  if (found >= 0) {
    pool->connections[found].state = BUSY;
    pool->used++;
  }
  pthread_mutex_unlock(&pool->lock);
  return found;
}

static void pool_release(struct pool *pool, int number) {
  pthread_mutex_lock(&pool->lock);
  pool->connections[number].state = FREE;
  pool->connections[number].requests++;
  pool->used--;
  pthread_mutex_unlock(&pool->lock);
}

static int request(struct pool *pool) {
  const int number = pool_acquire(pool);
  if (number < 0)
    return 0;
  pool_release(pool, number);
  return 1;
}

static void *client(void *argument) {
  request(argument);
  return NULL;
}

int main(void) {
  const int size = heddle_input_int();
  heddle_assume(size >= 1 && size <= MOST);
  struct pool *pool = pool_open(size);
  pthread_t thread;
  pthread_create(&thread, NULL, client, pool);
  const int served = request(pool);
  pthread_join(thread, NULL);
  assert(served == 0 || served == 1);
  pool_close(pool);
  return 0;
}
