// EXPECT: assert=verified (the twin of mysql_644.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int query_id = 1;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *join_fields(void *unused) {
  pthread_mutex_lock(&guard);
  int used = query_id == 1;
  assert(!used || query_id == 1);
  pthread_mutex_unlock(&guard);
  return unused;
}

static void *stamp(void *unused) {
  pthread_mutex_lock(&guard);
  query_id = 2;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, join_fields, NULL);
  pthread_create(&b, NULL, stamp, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
