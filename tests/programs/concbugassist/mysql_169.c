// EXPECT: assert=violated (the log is written after the table lock was given up)
#include <assert.h>
#include <pthread.h>

enum { NOTHING, DELETE, INSERT };
static int table, log_entry;

static void *delete_all(void *unused) {
  table = DELETE;
  log_entry = DELETE;
  return unused;
}

static void *insert(void *unused) {
  table = INSERT;
  log_entry = INSERT;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, delete_all, NULL);
  pthread_create(&b, NULL, insert, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(table == log_entry);
  return 0;
}
