// EXPECT: deadlock=verified (journal as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int heddle_input_int(void);
extern void heddle_assume(int);

struct journal {
  pthread_mutex_t lock;
  int entries;
};

struct db {
  pthread_mutex_t table_lock;
  int values[2];
  int changes;
  struct journal *journal;
};

static struct journal *journal_new(void) {
  struct journal *journal = calloc(1, sizeof *journal);
  if (journal == NULL)
    abort();
  pthread_mutex_init(&journal->lock, NULL);
  return journal;
}

static struct db *db_open(void) {
  struct db *db = calloc(1, sizeof *db);
  if (db == NULL)
    abort();
  pthread_mutex_init(&db->table_lock, NULL);
  db->journal = journal_new();
  return db;
}

static void db_close(struct db *db) {
  pthread_mutex_destroy(&db->journal->lock);
  free(db->journal);
  pthread_mutex_destroy(&db->table_lock);
  free(db);
}

static void journal_append(struct journal *journal) {
  pthread_mutex_lock(&journal->lock);
  journal->entries++;
  pthread_mutex_unlock(&journal->lock);
}

static void db_set(struct db *db, int key, int value) {
  pthread_mutex_lock(&db->table_lock);
  db->values[key] = value;
  db->changes++;
  journal_append(db->journal);
  pthread_mutex_unlock(&db->table_lock);
}

/* Nothing is left to be replayed when this returns. */
static int db_compact(struct db *db) {
  pthread_mutex_lock(&db->table_lock);
  pthread_mutex_lock(&db->journal->lock);
  const int dropped = db->journal->entries;
  db->journal->entries = 0;
  db->changes = 0;
  pthread_mutex_unlock(&db->table_lock);
  pthread_mutex_unlock(&db->journal->lock);
  return dropped;
}

static void *compactor(void *argument) {
  const int dropped = db_compact(argument);
  assert(dropped <= 1);
  return NULL;
}

int main(void) {
  const int key = heddle_input_int();
  heddle_assume(key >= 0 && key < 2);
  struct db *db = db_open();
  pthread_t thread;
  pthread_create(&thread, NULL, compactor, db);
  db_set(db, key, 42);
  pthread_join(thread, NULL);
  assert(db->values[key] == 42);
  assert(db->journal->entries == db->changes);
  db_close(db);
  return 0;
}
