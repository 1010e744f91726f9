// EXPECT: race=verified (table_store as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

#define ROWS 3

struct row {
  int key;
  int value;
  unsigned hits;
};

struct table {
  pthread_rwlock_t lock;
  int used;
  struct row rows[ROWS];
};

static struct table *table_new(void) {
  struct table *table = calloc(1, sizeof *table);
  if (table == NULL)
    abort();
  pthread_rwlock_init(&table->lock, NULL);
  return table;
}

static void table_free(struct table *table) {
  pthread_rwlock_destroy(&table->lock);
  free(table);
}

static int table_index(const struct table *table, int key) {
  for (int i = 0; i < table->used; i++)
    if (table->rows[i].key == key)
      return i;
  return -1;
}

static int table_set(struct table *table, int key, int value) {
  pthread_rwlock_wrlock(&table->lock);
  int at = table_index(table, key);
  if (at < 0 && table->used < ROWS) {
    at = table->used++;
    table->rows[at].key = key;
  }
  if (at >= 0)
    table->rows[at].value = value;
  pthread_rwlock_unlock(&table->lock);
  return at < 0 ? -1 : 0;
}

static int table_get(struct table *table, int key, int otherwise) {
  int value = otherwise;
  pthread_rwlock_wrlock(&table->lock);
  const int at = table_index(table, key);
  if (at >= 0) {
    table->rows[at].hits++;
    value = table->rows[at].value;
  }
  pthread_rwlock_unlock(&table->lock);
  return value;
}

static void *reader(void *argument) {
  struct table *table = argument;
  const int value = table_get(table, 20, -1);
  assert(value == 5);
  return NULL;
}

int main(void) {
  struct table *table = table_new();
  const int key = heddle_input_int();
  heddle_assume(key == 10 || key == 20);
  table_set(table, 10, 4);
  table_set(table, 20, 5);
  pthread_t thread;
  pthread_create(&thread, NULL, reader, table);
  const int mine = table_get(table, key, -1);
  pthread_join(thread, NULL);
  assert(mine == (key == 10 ? 4 : 5));
  table_free(table);
  return 0;
}
