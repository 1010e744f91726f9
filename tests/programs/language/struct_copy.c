// EXPECT: race=violated assert=violated twin=struct_copy_locked (a structure is copied in pieces)
#include <assert.h>
#include <pthread.h>

struct account {
  long paid, owed;
};
static struct account shared = {1, 1};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *change(void *unused) {
  struct account next = {2, 2};
  (void)lock;
  shared = next;

  return unused;
}

static void *look(void *unused) {
  (void)lock;
  struct account copy = shared;

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
