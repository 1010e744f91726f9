// EXPECT: memory=violated twin=route_table_fixed (a reference is taken behind the lock under which the table was found)
// PATCH, written before the tool ran: in table_acquire
//      table = current;
//   -  pthread_mutex_unlock(&current_lock);
//      if (table != NULL)
//        atomic_fetch_add(&table->refs, 1);
//   +  pthread_mutex_unlock(&current_lock);
// Review: "take the reference under current_lock: publish may free the table between the two."
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct table {
  atomic_int refs;
  int size;
  int hops[2];
};

static pthread_mutex_t current_lock = PTHREAD_MUTEX_INITIALIZER;
static struct table *current;

static struct table *table_new(int a, int b) {
  struct table *table = malloc(sizeof *table);
  if (table == NULL)
    return NULL;
  atomic_init(&table->refs, 1);
  table->size = 2;
  table->hops[0] = a;
  table->hops[1] = b;
  return table;
}

static struct table *table_acquire(void) {
  struct table *table;
  pthread_mutex_lock(&current_lock);
  table = current;
  pthread_mutex_unlock(&current_lock);
  if (table != NULL)
    atomic_fetch_add(&table->refs, 1);
  return table;
}

static void table_release(struct table *table) {
  if (atomic_fetch_sub(&table->refs, 1) == 1)
    free(table);
}

/* Makes `table` the one that lookups see; NULL for none. */
static void table_publish(struct table *table) {
  struct table *old;
  pthread_mutex_lock(&current_lock);
  old = current;
  current = table;
  pthread_mutex_unlock(&current_lock);
  if (old != NULL)
    table_release(old);
}

static int route(int port) {
  int hop = -1;
  struct table *table = table_acquire();
  if (table == NULL)
    return -1;
  if (port < table->size)
    hop = table->hops[port];
  table_release(table);
  return hop;
}

static void *forwarder(void *arg) {
  int *hop = arg;
  *hop = route(1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  int hop = 0;
  struct table *next;
  table_publish(table_new(1, 2));
  if (pthread_create(&thread, NULL, forwarder, &hop) == 0) {
    next = table_new(3, 4);
    if (next != NULL)
      table_publish(next);
    pthread_join(thread, NULL);
    assert(hop == 2 || hop == 4 || hop == -1);
  }
  table_publish(NULL);
  return 0;
}
