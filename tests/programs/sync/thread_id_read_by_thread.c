// EXPECT: assert=violated race=violated twin=thread_id_read_by_main (pthread_create may store the id after the thread has begun)
#include <assert.h>
#include <pthread.h>

static pthread_t id;

static void *look(void *unused) {
  assert(pthread_equal(id, pthread_self()));
  return unused;
}

int main(void) {
  pthread_create(&id, 0, look, 0);
  pthread_join(id, 0);
  return 0;
}
