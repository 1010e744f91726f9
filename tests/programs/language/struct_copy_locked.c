// EXPECT: race=verified assert=verified (the copy is made under the lock)
#include <assert.h>
#include <pthread.h>

struct account {
  long paid, owed;
};
static struct account shared = {1, 1};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *change(void *unused) {
  struct account next = {2, 2};
  pthread_mutex_lock(&lock);
  shared = next;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *look(void *unused) {
  pthread_mutex_lock(&lock);
  struct account copy = shared;
  pthread_mutex_unlock(&lock);
  assert(copy.paid == copy.owed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, change, NULL);
  pthread_create(&b, NULL, look, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
