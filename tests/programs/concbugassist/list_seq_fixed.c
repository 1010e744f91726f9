// EXPECT: assert=verified (the twin of list_seq.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int list[2], open_slot;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void list_add(int value) {
  list[open_slot] = value;
  open_slot = open_slot + 1;
}

static void *first(void *unused) {
  pthread_mutex_lock(&guard);
  list_add(1);
  pthread_mutex_unlock(&guard);
  return unused;
}

static void *second(void *unused) {
  pthread_mutex_lock(&guard);
  list_add(2);
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(list[0] == 1 || list[1] == 1);
  assert(list[0] == 2 || list[1] == 2);
  return 0;
}
