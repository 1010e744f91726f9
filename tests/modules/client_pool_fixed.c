// EXPECT: deadlock=verified (client_pool as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define MOST 3
#define CLIENTS 3
#define REQUESTS 2

enum state { CLOSED, IDLE, BUSY };

struct connection {
  enum state state;
  int id;
  int requests;
  bool broken;
};

struct pool {
  pthread_mutex_t lock;
  pthread_cond_t available;
  int limit;
  int opened;
  int idle;
  int waiters;
  int next_id;
  struct connection slots[MOST];
};

static struct pool *pool_create(int limit) {
  struct pool *pool = calloc(1, sizeof *pool);
  if (pool == NULL)
    return NULL;
  if (pthread_mutex_init(&pool->lock, NULL) != 0) {
    free(pool);
    return NULL;
  }
  if (pthread_cond_init(&pool->available, NULL) != 0) {
    pthread_mutex_destroy(&pool->lock);
    free(pool);
    return NULL;
  }
  pool->limit = limit;
  return pool;
}

static void pool_destroy(struct pool *pool) {
  assert(pool->waiters == 0);
  for (int i = 0; i < pool->limit; i++)
    assert(pool->slots[i].state != BUSY);
  pthread_cond_destroy(&pool->available);
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}

/* With the lock held. */
static struct connection *find(struct pool *pool, enum state state) {
  for (int i = 0; i < pool->limit; i++)
    if (pool->slots[i].state == state)
      return &pool->slots[i];
  return NULL;
}

static struct connection *pool_get(struct pool *pool) {
  struct connection *connection;
  pthread_mutex_lock(&pool->lock);
  while (pool->idle == 0 && pool->opened == pool->limit) {
    pool->waiters++;
    pthread_cond_wait(&pool->available, &pool->lock);
    pool->waiters--;
  }
  if (pool->idle > 0) {
    connection = find(pool, IDLE);
    pool->idle--;
  } else {
    connection = find(pool, CLOSED);
    connection->id = ++pool->next_id;
    connection->broken = false;
    pool->opened++;
  }
  assert(connection != NULL);
  connection->state = BUSY;
  pthread_mutex_unlock(&pool->lock);
  return connection;
}

static void pool_put(struct pool *pool, struct connection *connection) {
  pthread_mutex_lock(&pool->lock);
  assert(connection->state == BUSY);
  if (connection->broken) {
    connection->state = CLOSED;
    pool->opened--;
  } else {
    connection->state = IDLE;
    pool->idle++;
  }
  if (pool->waiters > 0)
    pthread_cond_signal(&pool->available);
  pthread_mutex_unlock(&pool->lock);
}

struct client {
  struct pool *pool;
  bool breaks;
  int done;
};

static void *client_main(void *argument) {
  struct client *client = argument;
  for (int i = 0; i < REQUESTS; i++) {
    struct connection *connection = pool_get(client->pool);
    connection->requests++;
    connection->broken = client->breaks;
    client->done++;
    pool_put(client->pool, connection);
  }
  return NULL;
}

int main(void) {
  int limit = heddle_input_int();
  heddle_assume(limit >= 1 && limit <= MOST);
  struct pool *pool = pool_create(limit);
  if (pool == NULL)
    return 1;
  struct client clients[CLIENTS];
  pthread_t threads[CLIENTS];
  for (int i = 0; i < CLIENTS; i++) {
    clients[i] = (struct client){pool, i == 0, 0};
    if (pthread_create(&threads[i], NULL, client_main, &clients[i]) != 0)
      abort();
  }
  int done = 0;
  for (int i = 0; i < CLIENTS; i++) {
    pthread_join(threads[i], NULL);
    done += clients[i].done;
  }
  assert(done == CLIENTS * REQUESTS);
  pool_destroy(pool);
  return 0;
}
