// EXPECT: assert=verified (the twin of mysql_169.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

enum { NOTHING, DELETE, INSERT };
static int table, log_entry;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *delete_all(void *unused) {
  pthread_mutex_lock(&guard);
  table = DELETE;
  log_entry = DELETE;
  pthread_mutex_unlock(&guard);
  return unused;
}

static void *insert(void *unused) {
  pthread_mutex_lock(&guard);
  table = INSERT;
  log_entry = INSERT;
  pthread_mutex_unlock(&guard);
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
