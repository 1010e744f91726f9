// EXPECT: assert=violated (a field changes its owner between the count and the loop)
#include <assert.h>
#include <pthread.h>

static int query_id = 1;

static void *join_fields(void *unused) {
  int used = query_id == 1;
  assert(!used || query_id == 1);
  return unused;
}

static void *stamp(void *unused) {
  query_id = 2;
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
